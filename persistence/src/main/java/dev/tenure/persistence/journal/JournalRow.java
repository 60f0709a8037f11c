package dev.tenure.persistence.journal;

/** A stored commit as recovery reads it. */
public record JournalRow(
    long ordering,
    String persistenceId,
    long version,
    String writer,
    int shard,
    long epoch,
    int serializerId,
    String manifest,
    byte[] payload,
    long writtenAtMs) {
  /** The manifest of a commit in which a new run of its workflow begins; never changes. */
  public static final String BEGINS_RUN = "r";

  public boolean beginsRun() {
    return manifest.equals(BEGINS_RUN);
  }
}
