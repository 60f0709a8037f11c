package dev.tenure.persistence.commit;

/** What became of one commit. Neighbours in the same transaction each get their own. */
public sealed interface CommitResult {
  /** It is durable, under this version. */
  record Committed(long version) implements CommitResult {}

  /**
   * The tenure is lost: the shard's lease is not, or no longer, at the commit's epoch (I16). With
   * equal epochs, the holder has released it, or never was the holder.
   */
  record Fenced(long heldEpoch, long currentEpoch) implements CommitResult {}

  /** The head is not where the owner saw it: {@code foundVersion} is the newest stored one. */
  record Conflict(long expectedVersion, long foundVersion) implements CommitResult {}

  /**
   * The commit takes a signal that it cannot accept: another was accepted before it, it was
   * accepted already, or the workflow is closed. It can be accepted, or answered, the usual way.
   */
  record SignalNotTaken(CommitId id) implements CommitResult {}

  /**
   * The database could not be asked in time. The commit may or may not be stored: the owner reads
   * before it goes on.
   */
  record Unknown(CommitId id, Throwable cause) implements CommitResult {}
}
