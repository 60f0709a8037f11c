package dev.tenure.persistence.commit;

import java.util.OptionalLong;

/**
 * The right to write: a shard, the epoch of the lease under which its owner acts, and the
 * incarnation of the process that holds it.
 *
 * @param incarnation empty where a fence is only read: entries of the journal do not record it
 */
public record Fence(int shard, long epoch, OptionalLong incarnation) {
  public Fence {
    if (shard < 0) throw new IllegalArgumentException("shard " + shard + " is negative");
    if (epoch < 1) throw new IllegalArgumentException("epoch " + epoch + " was never granted");
  }

  public Fence(int shard, long epoch, long incarnation) {
    this(shard, epoch, OptionalLong.of(incarnation));
  }

  /** As a stored entry has it. A {@link Commit} needs to know the holder, too. */
  public Fence(int shard, long epoch) {
    this(shard, epoch, OptionalLong.empty());
  }

  /** Who holds the shard, for a store that compares it. */
  public long holder() {
    return incarnation.orElseThrow(
        () -> new InvalidCommitError(this + " does not say which process holds the shard"));
  }
}
