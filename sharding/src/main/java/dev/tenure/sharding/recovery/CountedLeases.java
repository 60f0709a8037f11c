package dev.tenure.sharding.recovery;

import static java.util.stream.Collectors.groupingBy;

import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.lease.Lease;
import dev.tenure.persistence.lease.Leases;
import dev.tenure.persistence.lease.Membership;
import dev.tenure.persistence.lease.Takeover;
import dev.tenure.persistence.recovery.Recoveries;
import dev.tenure.persistence.recovery.Recovery;
import dev.tenure.workflow.WorkflowId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Leases that know which workflows were at work in a shard when the node that held it was lost.
 * Counting these may take longer than a claim may, so {@link #countLosses} does it afterwards;
 * until then the owners of the shard wait. What was left in order is only looked up, by the claim
 * itself: one that cannot do that fails, and is made again.
 */
public final class CountedLeases implements Leases {
  private final Leases inner;
  private final Recoveries recoveries;
  private final Suspects suspects;
  private final LongSupplier nanoTime;

  /** The tenures whose losses are to be counted, by shard. */
  private final Map<Integer, Recoveries.Beginning> uncounted = new ConcurrentHashMap<>();

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
    List<Recoveries.Beginning> inOrder = new ArrayList<>();
    granted.forEach(
        (shard, claim) -> {
          if (isLoss(claim.reason()) || uncounted.containsKey(shard)) {
            lost(shard, claim.epoch());
            suspects.nodeLost(nanoTime.getAsLong());
          } else inOrder.add(new Recoveries.Beginning(shard, claim.epoch(), false));
        });
    if (inOrder.isEmpty()) return;
    Map<Integer, List<Recovery>> found = byShard(recoveries.begin(inOrder));
    for (Recoveries.Beginning one : inOrder)
      suspects.begin(one.shard(), found.getOrDefault(one.shard(), List.of()));
  }

  /** A loss that was not counted to its end is counted on under the claim that is made again. */
  private void lost(int shard, long epoch) {
    suspects.counts(shard);
    uncounted.merge(
        shard,
        new Recoveries.Beginning(shard, epoch, true),
        (before, now) -> new Recoveries.Beginning(shard, epoch, true, before.countedSince()));
  }

  private static Map<Integer, List<Recovery>> byShard(List<Recovery> recoveries) {
    return recoveries.stream().collect(groupingBy(Recovery::shard));
  }

  /**
   * Counts the losses of these shards, as far as there are any. Blocks, for as long as it takes;
   * one thread calls it. After a failure it is called again, and goes on.
   *
   * @param wake tells the owner of a workflow that waited for this
   */
  public void countLosses(Set<Integer> shards, Consumer<WorkflowId> wake) {
    for (int shard : shards) {
      Recoveries.Beginning tenure = uncounted.get(shard);
      if (tenure == null) continue;
      List<Recovery> found = recoveries.takeOver(List.of(tenure));
      // A claim that was made again meanwhile has this counted once more: nothing counts twice.
      if (uncounted.remove(shard, tenure)) suspects.counted(shard, found).forEach(wake);
    }
  }

  /** A node that leaves in order releases its leases, and a node's own lease was not lost. */
  private static boolean isLoss(Takeover.Reason reason) {
    return switch (reason) {
      case EXPIRED, HOLDER_GONE -> true;
      case NEVER_HELD, RELEASED, OWN -> false;
    };
  }

  @Override
  public Beat beat(Holder holder, Duration timeToLive) {
    return inner.beat(holder, timeToLive);
  }

  /**
   * A loss that this tenure found is counted first: to the next holder the shard is one that was
   * given back in order. The tenure may be one whose caller has given up, or may end before the
   * scan of the shard came to the count.
   */
  @Override
  public void release(int shard, Holder holder, long epoch) {
    Recoveries.Beginning tenure = uncounted.get(shard);
    if (tenure != null && tenure.epoch() == epoch) {
      recoveries.takeOver(List.of(tenure));
      if (uncounted.remove(shard, tenure)) suspects.forget(shard);
    }
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
