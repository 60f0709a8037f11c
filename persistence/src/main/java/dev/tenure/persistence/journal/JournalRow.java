package dev.tenure.persistence.journal;

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

  public boolean beginsRun() {
    return manifest.equals(BEGINS_RUN);
  }
}
