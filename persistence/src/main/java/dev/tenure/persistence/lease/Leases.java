package dev.tenure.persistence.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The stored leases. Epochs only rise, also after deletions and restarts (I15); what is due is
 * decided by the store's clock alone.
 *
 * <p>A holder has one time of expiry for all its shards. Claims that are granted and beats move it;
 * a commit depends on the epoch and the holder of its shard alone.
 */
public interface Leases {
  /** Longer than any sensible lease: a holder that died would keep its shard for a day. */
  Duration MAX_TIME_TO_LIVE = Duration.ofDays(1);

  /** What every adapter asks of a time to live. */
  static void requireValid(Duration timeToLive) {
    if (timeToLive.toMillis() < 1 || timeToLive.compareTo(MAX_TIME_TO_LIVE) > 0) {
      throw new IllegalArgumentException(
          "a lease cannot live for %s: choose from 1 ms to %s"
              .formatted(timeToLive, MAX_TIME_TO_LIVE));
    }
  }

  /** Takes the shard if {@link Takeover} allows it. A granted epoch was never granted before. */
  Claim acquire(int shard, Holder claimant, Membership members, Duration timeToLive);

  /**
   * Takes together those of the shards that {@link Takeover} allows and that no other transaction
   * locks just now: it waits for no lock. Nothing is said of the others; they are to be claimed one
   * by one. An adapter that cannot do this takes none.
   */
  default Map<Integer, Claim.Granted> acquireFree(
      Set<Integer> shards, Holder claimant, Membership members, Duration timeToLive) {
    return Map.of();
  }

  /**
   * Extends the holder's time for all its shards, and returns them with their epochs. Its cost does
   * not grow with what it writes: that is one row.
   *
   * <p>A claim of an expired holder's shard and the beat of that holder exclude each other: either
   * the claim is refused, or the beat, which then waits for the claim, does not return the shard. A
   * holder that has not claimed anything yet, or that the store has forgotten, has no shards.
   */
  Beat beat(Holder holder, Duration timeToLive);

  /** Gives the shard back if the holder still has it at this epoch; nothing happens otherwise. */
  void release(int shard, Holder holder, long epoch);

  /** The stored lease of a shard. */
  Optional<Lease> find(int shard);

  /** All that are stored. */
  List<Lease> all();

  /** For each shard that was ever held, in order, which node holds it now by the store's clock. */
  List<Holding> holdings();

  /**
   * @param node empty when no node holds the shard
   */
  record Holding(int shard, long epoch, Optional<String> node) {}

  /**
   * What a beat learns.
   *
   * @param at the time by the store's clock, at some moment of the beat
   * @param held the epochs of the shards that the holder has
   */
  record Beat(Instant at, Map<Integer, Long> held) {}

  /** The answer to a claim. */
  sealed interface Claim {
    record Granted(long epoch, Takeover.Reason reason) implements Claim {}

    record Refused(Holder holder, Duration atMost) implements Claim {}
  }
}
