package dev.tenure.persistence.journal;

import dev.tenure.persistence.commit.Commit;
import java.util.UUID;

/** A stored commit as recovery reads it. */
public record JournalRow(
    String persistenceId,
    long version,
    UUID writer,
    int shard,
    long epoch,
    String manifest,
    byte[] payload) {
  /** The manifest of a commit in which a new run of its workflow begins; never changes. */
  public static final String BEGINS_RUN = "r";

  /** The row that a store makes of the commit. */
  public static JournalRow of(Commit commit) {
    return new JournalRow(
        commit.id().persistenceId(),
        commit.id().version(),
        commit.id().writer(),
        commit.fence().shard(),
        commit.fence().epoch(),
        commit.manifest(),
        commit.payload().clone());
  }

  public boolean beginsRun() {
    return manifest.equals(BEGINS_RUN);
  }
}
