package dev.tenure.sharding.recovery;

import static java.util.stream.Collectors.groupingBy;

import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.lease.Lease;
import dev.tenure.persistence.lease.Leases;
import dev.tenure.persistence.lease.Membership;
import dev.tenure.persistence.lease.Takeover;
import dev.tenure.persistence.recovery.Recoveries;
import dev.tenure.persistence.recovery.Recovery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Leases whose claims are granted only when it is known which workflows were at work in the shard
 * when the node that held it was lost. A claim that cannot find out fails, and is made again.
 */
public final class CountedLeases implements Leases {
  private final Leases inner;
  private final Recoveries recoveries;
  private final Suspects suspects;
  private final LongSupplier nanoTime;
  private final Set<Integer> uncounted = ConcurrentHashMap.newKeySet();

  public CountedLeases(
      Leases inner, Recoveries recoveries, Suspects suspects, LongSupplier nanoTime) {
    this.inner = inner;
    this.recoveries = recoveries;
    this.suspects = suspects;
    this.nanoTime = nanoTime;
  }

  @Override
  public Claim acquire(int shard, Holder claimant, Membership members, Duration timeToLive) {
    Claim claim = inner.acquire(shard, claimant, members, timeToLive);
    if (claim instanceof Claim.Granted granted) count(Map.of(shard, granted));
    return claim;
  }

  @Override
  public Map<Integer, Claim.Granted> acquireFree(
      Set<Integer> shards, Holder claimant, Membership members, Duration timeToLive) {
    Map<Integer, Claim.Granted> granted = inner.acquireFree(shards, claimant, members, timeToLive);
    if (!granted.isEmpty()) count(granted);
    return granted;
  }

  private void count(Map<Integer, Claim.Granted> granted) {
    List<Recoveries.Beginning> tenures = new ArrayList<>();
    granted.forEach(
        (shard, claim) -> {
          // A loss that could not be counted is counted by the claim that is made again.
          if (isLoss(claim.reason())) uncounted.add(shard);
          tenures.add(new Recoveries.Beginning(shard, claim.epoch(), uncounted.contains(shard)));
        });
    Map<Integer, List<Recovery>> found =
        recoveries.takeOver(tenures).stream().collect(groupingBy(Recovery::shard));
    for (int shard : granted.keySet()) {
      suspects.begin(shard, found.getOrDefault(shard, List.of()));
      uncounted.remove(shard);
    }
    if (tenures.stream().anyMatch(Recoveries.Beginning::lost))
      suspects.nodeLost(nanoTime.getAsLong());
  }

  /** A node that leaves in order releases its leases, and a node's own lease was not lost. */
  private static boolean isLoss(Takeover.Reason reason) {
    return switch (reason) {
      case EXPIRED, HOLDER_GONE -> true;
      case NEVER_HELD, RELEASED, OWN -> false;
    };
  }

  @Override
  public Map<Integer, Long> beat(Holder holder, Duration timeToLive) {
    return inner.beat(holder, timeToLive);
  }

  @Override
  public void release(int shard, Holder holder, long epoch) {
    inner.release(shard, holder, epoch);
  }

  @Override
  public List<Lease> all() {
    return inner.all();
  }

  @Override
  public List<Holding> holdings() {
    return inner.holdings();
  }

  @Override
  public Optional<Lease> find(int shard) {
    return inner.find(shard);
  }
}
