package dev.tenure.sharding.lease;

import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.lease.Leases;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The releases of a node that are under way. */
final class LeaseReleases {
  private static final Logger log = LoggerFactory.getLogger(LeaseReleases.class);

  private final Leases leases;
  private final Holder self;
  private final LeaseWork work;

  /** By epoch, which no two tenures have in common. */
  private final Map<Long, CompletableFuture<Boolean>> underWay = new ConcurrentHashMap<>();

  LeaseReleases(Leases leases, Holder self, LeaseWork work) {
    this.leases = leases;
    this.self = self;
    this.work = work;
  }

  /** Gives the shard back to the store, unless that is under way; false when the store fails. */
  CompletionStage<Boolean> release(int shard, long epoch) {
    CompletableFuture<Boolean> answer = new CompletableFuture<>();
    CompletableFuture<Boolean> before = underWay.putIfAbsent(epoch, answer);
    if (before != null) return before;
    answer.whenComplete((released, failure) -> underWay.remove(epoch));
    work.blocking(() -> release(shard, epoch, answer));
    return answer;
  }

  private void release(int shard, long epoch, CompletableFuture<Boolean> answer) {
    boolean released = false;
    try {
      leases.release(shard, self, epoch);
      released = true;
    } catch (RuntimeException e) {
      // The next beat that goes through finds the shard and releases it again.
      log.warn("shard {} could not be released: {}", shard, e.getMessage());
    } finally {
      answer.complete(released);
    }
  }

  /** Completed when every release that is under way has ended. */
  CompletionStage<Void> ended() {
    return CompletableFuture.allOf(underWay.values().toArray(CompletableFuture[]::new));
  }
}
