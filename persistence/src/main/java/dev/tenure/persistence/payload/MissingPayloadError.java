package dev.tenure.persistence.payload;

import dev.tenure.workflow.WorkflowId;
import java.util.HexFormat;

/** The journal refers to a payload that the store does not have as it was: the store is damaged. */
public final class MissingPayloadError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MissingPayloadError(WorkflowId id, byte[] hash, String what) {
    super(
        "The payload %s of workflow \"%s\" %s: restore the table payload before going on."
            .formatted(HexFormat.of().formatHex(hash), id, what));
  }

  /** The bytes, if they are what the journal refers to. */
  public static byte[] checked(WorkflowId id, byte[] hash, byte[] content) {
    if (content == null) throw new MissingPayloadError(id, hash, "is not there");
    if (!java.util.Arrays.equals(Payloads.hash(content), hash))
      throw new MissingPayloadError(id, hash, "is not what was stored");
    return content;
  }
}
