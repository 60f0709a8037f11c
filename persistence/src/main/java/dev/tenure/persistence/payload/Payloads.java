package dev.tenure.persistence.payload;

import dev.tenure.workflow.WorkflowId;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Reads the payloads that are kept apart from the journal. */
@FunctionalInterface
public interface Payloads {
  /** From here on a payload is kept apart: recovery reads every row of a history, and all of it. */
  int APART_BYTES = 64 * 1024;

  /** For readers that look at events and never at values. */
  Payloads NONE =
      (id, hash) -> {
        throw new IllegalStateException("This reader has no store to read a large payload from.");
      };

  /**
   * The bytes of a workflow's payload, which are the ones that were committed.
   *
   * @param hash their SHA-256
   * @throws MissingPayloadError when they are not there, or are others
   */
  byte[] load(WorkflowId id, byte[] hash);

  /** Under which hash a payload is kept: its SHA-256. */
  static byte[] hash(byte[] content) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(content);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
