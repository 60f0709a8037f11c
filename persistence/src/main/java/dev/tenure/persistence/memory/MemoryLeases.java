package dev.tenure.persistence.memory;

import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.lease.Lease;
import dev.tenure.persistence.lease.Leases;
import dev.tenure.persistence.lease.Membership;
import dev.tenure.persistence.lease.Takeover;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Leases of a storage inside one process. */
final class MemoryLeases implements Leases {
  private final Object lock;
  private final InstantSource clock;
  private final Map<Integer, Lease> stored = new HashMap<>();
  private long lastEpoch;

  /**
   * @param lock what the storage holds while it commits, so that a fence cannot change under it
   */
  MemoryLeases(Object lock, InstantSource clock) {
    this.lock = lock;
    this.clock = clock;
  }

  @Override
  public Claim acquire(int shard, Holder claimant, Membership members, Duration timeToLive) {
    Leases.requireValid(timeToLive);
    synchronized (lock) {
      Instant now = clock.instant();
      Optional<Lease> lease = Optional.ofNullable(stored.get(shard));
      return switch (Takeover.decide(lease, claimant, members, now)) {
        case Takeover.Wait wait -> new Claim.Refused(wait.holder(), wait.atMost());
        case Takeover.Take take -> {
          // One counter for all shards, as the database's sequence: nothing is granted twice (I15).
          long epoch = ++lastEpoch;
          stored.put(shard, new Lease(shard, epoch, Optional.of(claimant), now.plus(timeToLive)));
          yield new Claim.Granted(epoch, take.reason());
        }
      };
    }
  }

  @Override
  public Map<Integer, Claim.Granted> acquireFree(
      Set<Integer> shards, Holder claimant, Membership members, Duration timeToLive) {
    synchronized (lock) {
      Map<Integer, Claim.Granted> granted = new HashMap<>();
      for (int shard : shards)
        if (stored.containsKey(shard)
            && acquire(shard, claimant, members, timeToLive) instanceof Claim.Granted taken)
          granted.put(shard, taken);
      return granted;
    }
  }

  @Override
  public Set<Integer> renew(Holder holder, Map<Integer, Long> epochs, Duration timeToLive) {
    Leases.requireValid(timeToLive);
    synchronized (lock) {
      Set<Integer> renewed = new HashSet<>();
      epochs.forEach(
          (shard, epoch) -> {
            if (!holds(holder, shard, epoch)) return;
            Instant expiresAt = clock.instant().plus(timeToLive);
            stored.put(shard, new Lease(shard, epoch, Optional.of(holder), expiresAt));
            renewed.add(shard);
          });
      return renewed;
    }
  }

  @Override
  public void release(int shard, Holder holder, long epoch) {
    synchronized (lock) {
      if (!holds(holder, shard, epoch)) return;
      stored.put(shard, new Lease(shard, epoch, Optional.empty(), clock.instant()));
    }
  }

  private boolean holds(Holder holder, int shard, long epoch) {
    Lease lease = stored.get(shard);
    return lease != null
        && lease.epoch() == epoch
        && lease.holder().filter(holder::equals).isPresent();
  }

  @Override
  public Optional<Lease> find(int shard) {
    synchronized (lock) {
      return Optional.ofNullable(stored.get(shard));
    }
  }

  @Override
  public List<Lease> all() {
    synchronized (lock) {
      return List.copyOf(stored.values());
    }
  }

  @Override
  public List<Holding> holdings() {
    synchronized (lock) {
      Instant now = clock.instant();
      return stored.values().stream()
          .sorted(Comparator.comparing(Lease::shard))
          .map(
              lease ->
                  new Holding(
                      lease.shard(),
                      lease.epoch(),
                      lease.holder().filter(h -> lease.expiresAt().isAfter(now)).map(Holder::node)))
          .toList();
    }
  }
}
