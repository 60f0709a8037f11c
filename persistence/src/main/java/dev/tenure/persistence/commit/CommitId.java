package dev.tenure.persistence.commit;

/**
 * What tells one commit from every other: no two incarnations of an owner share a writer, and one
 * writer never writes the same version twice. An unknown outcome is resolved by looking for this.
 */
public record CommitId(String persistenceId, long version, String writer) {
  /** A workflow id of the greatest length, with every byte of it escaped, and a word before it. */
  public static final int MAX_PERSISTENCE_ID_BYTES = 1_600;

  public static final int MAX_WRITER_BYTES = 64;

  public CommitId {
    StoredText.require("persistence id", persistenceId, MAX_PERSISTENCE_ID_BYTES);
    StoredText.require("writer", writer, MAX_WRITER_BYTES);
    if (version < 1) throw new IllegalArgumentException("version " + version + " is below 1");
  }
}
