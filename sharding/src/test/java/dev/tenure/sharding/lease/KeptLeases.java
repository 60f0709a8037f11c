package dev.tenure.sharding.lease;

import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.lease.Lease;
import dev.tenure.persistence.lease.Leases;
import dev.tenure.persistence.lease.Membership;
import dev.tenure.persistence.lease.Takeover;
import dev.tenure.persistence.storage.StorageException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A keeper, with a clock and a store that are turned by hand. */
abstract class KeptLeases {
  static final Holder SELF = new Holder("tenure@self:1", 1);
  static final Holder OTHER = new Holder("tenure@other:1", 2);
  static final LeaseTimes TIMES =
      new LeaseTimes(
          Duration.ofSeconds(10),
          Duration.ofSeconds(2),
          Duration.ofSeconds(3),
          Duration.ofMillis(100));

  long nanos = 1;
  Instant time = Instant.parse("2026-01-01T00:00:00Z");
  final List<Look> looks = new ArrayList<>();
  final Store store = new Store();
  final Hands hands = new Hands(() -> nanos);
  final LeaseKeeper keeper =
      new LeaseKeeper(store, SELF, Membership.UNKNOWN, TIMES, () -> nanos, hands, this::looked);
  final List<String> lost = new ArrayList<>();

  record Look(long asked, Instant store, long answered) {}

  void looked(long asked, Instant at, long answered) {
    looks.add(new Look(asked, at, answered));
  }

  CompletableFuture<Boolean> acquire(int shard) {
    return keeper.acquire(shard, lose()).toCompletableFuture();
  }

  Consumer<Optional<Throwable>> lose() {
    return reason -> lost.add(reason.orElseThrow().getMessage());
  }

  void pass(Duration time) {
    nanos += time.toNanos();
  }

  /** Time passes, and everything that is due is done. */
  void turn(Duration time) {
    long end = nanos + time.toNanos();
    while (nanos < end) {
      hands.work();
      nanos = Math.min(end, nanos + Duration.ofMillis(10).toNanos());
      hands.fire(nanos);
    }
    hands.work();
  }

  /** A store that can be slow, away, and somebody else's. */
  final class Store implements Leases {
    final Map<Integer, Holder> holders = new HashMap<>();
    final Map<Integer, Long> epochs = new HashMap<>();
    Duration takes = Duration.ZERO;
    Runnable during = () -> {};
    boolean outage;
    int claims;
    int together;
    int beats;
    int releases;
    int finds;
    boolean releaseFails;
    long epoch;

    void give(int shard, Holder holder) {
      holders.put(shard, holder);
      epochs.put(shard, ++epoch);
    }

    void answer() {
      nanos += takes.toNanos();
      during.run();
      if (outage) throw new StorageException.Unavailable("the store is down", null);
    }

    @Override
    public Claim acquire(int shard, Holder claimant, Membership members, Duration timeToLive) {
      claims++;
      answer();
      Holder holder = holders.get(shard);
      if (holder != null && !holder.equals(claimant)) {
        return new Claim.Refused(holder, Duration.ofSeconds(9));
      }
      give(shard, claimant);
      return new Claim.Granted(epoch, Takeover.Reason.RELEASED);
    }

    @Override
    public Map<Integer, Claim.Granted> acquireFree(
        Set<Integer> shards, Holder claimant, Membership members, Duration timeToLive) {
      together++;
      answer();
      Map<Integer, Claim.Granted> granted = new HashMap<>();
      for (int shard : shards) {
        if (!epochs.containsKey(shard) || holders.containsKey(shard)) continue;
        give(shard, claimant);
        granted.put(shard, new Claim.Granted(epoch, Takeover.Reason.RELEASED));
      }
      return granted;
    }

    @Override
    public Beat beat(Holder holder, Duration timeToLive) {
      beats++;
      answer();
      Map<Integer, Long> held = new HashMap<>();
      holders.forEach(
          (shard, one) -> {
            if (one.equals(holder)) held.put(shard, epochs.get(shard));
          });
      return new Beat(time, held);
    }

    @Override
    public void release(int shard, Holder holder, long atEpoch) {
      releases++;
      if (releaseFails) throw new StackOverflowError("on purpose");
      if (outage) throw new StorageException.Unavailable("the store is down", null);
      if (holder.equals(holders.get(shard)) && epochs.get(shard) == atEpoch) holders.remove(shard);
    }

    @Override
    public Optional<Lease> find(int shard) {
      finds++;
      answer();
      if (!epochs.containsKey(shard)) return Optional.empty();
      Optional<Holder> holder = Optional.ofNullable(holders.get(shard));
      return Optional.of(new Lease(shard, epochs.get(shard), holder, Instant.MAX));
    }

    @Override
    public List<Lease> all() {
      return List.of();
    }

    @Override
    public List<Holding> holdings() {
      return List.of();
    }
  }
}
