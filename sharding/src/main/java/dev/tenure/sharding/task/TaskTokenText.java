package dev.tenure.sharding.task;

import dev.tenure.persistence.codec.BinaryReader;
import dev.tenure.persistence.codec.BinaryWriter;
import dev.tenure.persistence.task.TaskId;
import dev.tenure.persistence.task.TaskToken;
import dev.tenure.sharding.wire.Frame;
import dev.tenure.sharding.wire.UnreadableMessageError;
import dev.tenure.workflow.Text;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.operation.OperationId;
import java.util.Base64;
import java.util.Optional;

/**
 * Tokens as the text that workers keep and send: opaque to them, and without a character that needs
 * an escape in JSON, in a header or in an address. It is not signed: only the secret in it counts,
 * and nobody can guess that.
 */
public final class TaskTokenText {
  /** Longer than the token of a task whose names are as long as they may be. */
  public static final int CHARS_MAX = 4_096;

  private static final int KIND = 1;

  /** An operation's id behind that of its run. */
  private static final int OPERATION_BYTES_MAX = OperationId.BYTES_MAX + 256;

  private static final int SECRET_BYTES_MAX = 256;

  private TaskTokenText() {}

  public static String of(TaskToken token) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(Frame.write(KIND, out -> write(out, token)));
  }

  private static void write(BinaryWriter out, TaskToken token) {
    out.text(token.id().workflow().value());
    out.text(token.id().operation());
    out.number(token.attempt());
    out.number(token.delivery());
    out.text(token.secret());
  }

  /** Empty when no desk wrote the text. */
  public static Optional<TaskToken> parse(String text) {
    if (text.length() > CHARS_MAX) return Optional.empty();
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(text);
      return Optional.of(Frame.read("A token", bytes, TaskTokenText::read));
    } catch (IllegalArgumentException | UnreadableMessageError e) {
      // Any client can send anything: the reason is neither answered nor logged.
      return Optional.empty();
    }
  }

  private static TaskToken read(int kind, BinaryReader in) {
    if (kind != KIND) throw new IllegalArgumentException("no token is of kind " + kind);
    TaskId id = new TaskId(WorkflowId.of(in.text()), in.text());
    // A token that is made up must not get as far as to a statement that the database refuses.
    Text.require("operation", id.operation(), OPERATION_BYTES_MAX);
    TaskToken token = new TaskToken(id, in.smallNumber(), in.smallNumber(), in.text());
    Text.require("secret", token.secret(), SECRET_BYTES_MAX);
    return token;
  }
}
