package dev.tenure.workflow.operation;

import dev.tenure.workflow.WorkflowId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The identity of one message, the same however often it is sent: it derives from which run sends
 * it, for which operation and in which attempt. Receivers recognise a repetition by it. It is a
 * digest, because it travels as a signal's id, which is short.
 */
public record MessageGuid(String value) {

  public static MessageGuid of(
      WorkflowId sender, String runId, OperationId operation, int attempt) {
    MessageDigest digest = sha256();
    for (String part : new String[] {sender.value(), runId, operation.value()}) {
      byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
      // The length goes in front, or two different senders could spell the same text.
      digest.update((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
      digest.update(bytes);
    }
    digest.update(Integer.toString(attempt).getBytes(StandardCharsets.US_ASCII));
    return new MessageGuid(HexFormat.of().formatHex(digest.digest()));
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException everyJavaHasIt) {
      throw new AssertionError(everyJavaHasIt);
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
