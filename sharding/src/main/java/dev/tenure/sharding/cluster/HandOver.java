package dev.tenure.sharding.cluster;

import com.typesafe.config.Config;
import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.lease.Lease;
import dev.tenure.persistence.lease.Leases;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.sharding.lease.ClusterMembership;
import dev.tenure.sharding.lease.Tenures;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.pekko.cluster.Cluster;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a node that is drained gives its shards away: it says so, and the coordinator moves its
 * shards to the other nodes, a few at a time ({@link
 * dev.tenure.sharding.deployment.CodeAwareAllocation}). A workflow stands still only while its own
 * shard moves. Pekko alone stops all shards of the node first, and then finds places for them, one
 * after the other.
 */
final class HandOver {
  private static final Logger log = LoggerFactory.getLogger(HandOver.class);
  private static final String LIMIT = "tenure.shards.leave-limit";
  private static final String PAUSE_MAX = "tenure.shards.leave-pause-max";
  private static final Duration LOOK_EVERY = Duration.ofMillis(20);

  /** For how long the others may take to claim the last shards. */
  private static final Duration CLAIMED_WITHIN = Duration.ofSeconds(2);

  private static final Duration SAY_EVERY = Duration.ofMillis(500);

  private final LeavingNodes leaving;
  private final ClusterMembership view;
  private final Tenures tenures;
  private final Leases leases;
  private final Holder self;
  private final Duration limit;
  private final Duration pauseMax;

  HandOver(Cluster cluster, LeavingNodes leaving, Tenures tenures, Leases leases, Config config) {
    this.leaving = leaving;
    this.view = new ClusterMembership(cluster);
    this.tenures = tenures;
    this.leases = leases;
    this.self = ClusterMembership.holder(cluster.selfUniqueAddress());
    this.limit = config.getDuration(LIMIT);
    this.pauseMax = config.getDuration(PAUSE_MAX);
  }

  /**
   * Blocks until the others hold what this node held, until nobody is there to take it, until none
   * can go, until the database does not answer, or until the time is over. Pekko then stops what is
   * left, with the region.
   */
  void run() {
    Set<Integer> shards = tenures.shards();
    // One that was taken out has nobody to hand over to.
    if (shards.isEmpty() || view.living().isEmpty() || !othersStay()) return;
    long until = System.nanoTime() + limit.toNanos();
    leaving.announce();
    // The coordinator may end with this node, and another one would have to begin before the last
    // shards find their places.
    boolean gone =
        shardsGo(until)
            && await(
                Math.min(until, System.nanoTime() + CLAIMED_WITHIN.toNanos()),
                () -> othersHold(shards));
    if (!gone)
      log.info("{} of {} shards are left to be handed over", tenures.held(), shards.size());
  }

  /** Owners that commit cannot go without the database. */
  private boolean shardsGo(long until) {
    int held = tenures.held();
    while (held > 0) {
      int before = held;
      long pause = Math.min(until, System.nanoTime() + pauseMax.toNanos());
      if (!await(pause, () -> tenures.held() < before)) return false;
      held = tenures.held();
    }
    return true;
  }

  private boolean await(long until, BooleanSupplier isDone) {
    long saidAt = System.nanoTime();
    while (!isDone.getAsBoolean()) {
      long now = System.nanoTime();
      if (now - until >= 0 || tenures.isCutOff() || !othersStay()) return false;
      if (now - saidAt >= SAY_EVERY.toNanos()) {
        leaving.announce();
        saidAt = now;
      }
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
    }
    return true;
  }

  private boolean othersStay() {
    return view.staying().stream()
        .anyMatch(node -> !node.equals(self) && !leaving.leaves(node.node()));
  }

  private boolean othersHold(Set<Integer> shards) {
    try {
      return leases.all().stream()
          .filter(lease -> shards.contains(lease.shard()))
          .map(Lease::holder)
          .allMatch(holder -> holder.isPresent() && !holder.equals(Optional.of(self)));
    } catch (StorageException e) {
      log.warn("it is not known whether other nodes have taken all shards: {}", e.getMessage());
      return true;
    }
  }
}
