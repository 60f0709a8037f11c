package dev.tenure.sharding.context;

import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Start;
import dev.tenure.workflow.operation.OperationId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** What a child is called when nobody named it: by its parent and the operation it is. */
final class ChildIds {
  /** Children of children of children must not run into the limit of ids by their depth alone. */
  private static final int READABLE_BYTES_MAX = 256;

  private ChildIds() {}

  static WorkflowId of(Start parent, OperationId operation) {
    // The run is part of it: an id that is used again after a purge has new children.
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
