package dev.tenure.sharding.recovery;

import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.lease.Lease;
import dev.tenure.persistence.lease.Leases;
import dev.tenure.persistence.lease.Membership;
import dev.tenure.persistence.lease.Takeover;
import dev.tenure.persistence.recovery.Recoveries;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Leases whose claims are granted only when it is known what was at work in the shard while its
 * last owner was lost: a claim that cannot find out fails, and is made again.
 */
public final class CountedLeases implements Leases {
  private final Leases inner;
  private final Recoveries recoveries;
  private final Suspects suspects;

  public CountedLeases(Leases inner, Recoveries recoveries, Suspects suspects) {
    this.inner = inner;
    this.recoveries = recoveries;
    this.suspects = suspects;
  }

  @Override
  public Claim acquire(int shard, Holder claimant, Membership members, Duration timeToLive) {
    Claim claim = inner.acquire(shard, claimant, members, timeToLive);
    if (claim instanceof Claim.Granted(long epoch, Takeover.Reason reason))
      suspects.begin(shard, recoveries.takeOver(shard, epoch, isLoss(reason)));
    return claim;
  }

  /** Whoever leaves in order releases what it holds; one's own lease was not lost with a node. */
  private static boolean isLoss(Takeover.Reason reason) {
    return switch (reason) {
      case EXPIRED, HOLDER_GONE -> true;
      case NEVER_HELD, RELEASED, OWN -> false;
    };
  }

  @Override
  public Set<Integer> renew(Holder holder, Map<Integer, Long> epochs, Duration timeToLive) {
    return inner.renew(holder, epochs, timeToLive);
  }

  @Override
  public void release(int shard, Holder holder, long epoch) {
    inner.release(shard, holder, epoch);
  }

  @Override
  public Optional<Lease> find(int shard) {
    return inner.find(shard);
  }
}
