package dev.tenure.persistence.commit;

import java.util.Objects;
import java.util.UUID;

/**
 * What tells one commit from every other: no two incarnations of an owner share a writer, and one
 * writer never writes the same version twice. An unknown outcome is resolved by looking for this.
 */
public record CommitId(String persistenceId, long version, UUID writer) {
  /** A workflow id of the greatest length, with every byte of it escaped, and some more. */
  public static final int MAX_PERSISTENCE_ID_BYTES = 1_600;

  public CommitId {
    StoredText.require("persistence id", persistenceId, MAX_PERSISTENCE_ID_BYTES);
    Objects.requireNonNull(writer, "writer");
    if (version < 1) throw new IllegalArgumentException("version " + version + " is below 1");
  }
}
