package dev.tenure.sharding.context;

import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Start;
import dev.tenure.workflow.operation.OperationId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The id of a child when the code named none: made of its parent and the operation. */
final class ChildIds {
  /**
   * Below this length the id is readable; a longer one is hashed, so that deep trees stay within
   * the limit of ids.
   */
  private static final int READABLE_BYTES_MAX = 256;

  private ChildIds() {}

  static WorkflowId of(Start parent, OperationId operation) {
    // The run is part of the id: when the parent's id is used again after a purge, its children are
    // new.
    String readable = parent.id() + "/" + operation + "/" + parent.runId();
    byte[] bytes = readable.getBytes(StandardCharsets.UTF_8);
    if (bytes.length <= READABLE_BYTES_MAX) return WorkflowId.of(readable);
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes);
      return WorkflowId.of("child/" + HexFormat.of().formatHex(hash));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
