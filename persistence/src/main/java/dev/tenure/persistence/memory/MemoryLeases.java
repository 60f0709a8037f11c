package dev.tenure.persistence.memory;

import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.lease.Lease;
import dev.tenure.persistence.lease.Leases;
import dev.tenure.persistence.lease.Membership;
import dev.tenure.persistence.lease.Takeover;
import dev.tenure.persistence.storage.StorageException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Leases of a storage inside one process. */
final class MemoryLeases implements Leases {
  private record Row(int shard, long epoch, Optional<Holder> holder, Instant releasedAt) {}

  private record NodeRow(String node, Instant expiresAt) {}

  private final Object lock;
  private final InstantSource clock;
  private final Map<Integer, Row> shards = new HashMap<>();

  /** By incarnation: no two nodes have the same. */
  private final Map<Long, NodeRow> nodes = new HashMap<>();

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
      return switch (Takeover.decide(find(shard), claimant, members, clock.instant())) {
        case Takeover.Wait wait -> new Claim.Refused(wait.holder(), wait.atMost());
        case Takeover.Take take -> {
          extend(claimant, timeToLive);
          // One counter for all shards, as the database's sequence: nothing is granted twice (I15).
          long epoch = ++lastEpoch;
          shards.put(shard, new Row(shard, epoch, Optional.of(claimant), Instant.EPOCH));
          yield new Claim.Granted(epoch, take.reason());
        }
      };
    }
  }

  private void extend(Holder holder, Duration timeToLive) {
    NodeRow known = nodes.get(holder.incarnation());
    if (known != null && !known.node().equals(holder.node()))
      throw new StorageException.Refused(
          "the incarnation %d of %s is that of another node: start this process again"
              .formatted(holder.incarnation(), holder.node()),
          null);
    nodes.put(holder.incarnation(), new NodeRow(holder.node(), clock.instant().plus(timeToLive)));
  }

  @Override
  public Map<Integer, Claim.Granted> acquireFree(
      Set<Integer> wanted, Holder claimant, Membership members, Duration timeToLive) {
    synchronized (lock) {
      Map<Integer, Claim.Granted> granted = new HashMap<>();
      for (int shard : wanted)
        if (shards.containsKey(shard)
            && acquire(shard, claimant, members, timeToLive) instanceof Claim.Granted taken)
          granted.put(shard, taken);
      return granted;
    }
  }

  @Override
  public Beat beat(Holder holder, Duration timeToLive) {
    Leases.requireValid(timeToLive);
    synchronized (lock) {
      NodeRow known = nodes.get(holder.incarnation());
      if (known == null || !known.node().equals(holder.node()))
        return new Beat(clock.instant(), Map.of());
      extend(holder, timeToLive);
      Map<Integer, Long> held = new HashMap<>();
      for (Row row : shards.values())
        if (row.holder().filter(holder::equals).isPresent()) held.put(row.shard(), row.epoch());
      return new Beat(clock.instant(), held);
    }
  }

  @Override
  public void release(int shard, Holder holder, long epoch) {
    synchronized (lock) {
      Row row = shards.get(shard);
      if (row == null || row.epoch() != epoch || row.holder().filter(holder::equals).isEmpty())
        return;
      shards.put(shard, new Row(shard, epoch, Optional.empty(), clock.instant()));
    }
  }

  /** Whether a commit may be stored under this fence. */
  boolean isHeld(Fence fence) {
    synchronized (lock) {
      Row row = shards.get(fence.shard());
      return row != null
          && row.epoch() == fence.epoch()
          && row.holder().filter(one -> one.incarnation() == fence.holder()).isPresent();
    }
  }

  /** The newest that was granted; 0 when none was. */
  long epoch(int shard) {
    return find(shard).map(Lease::epoch).orElse(0L);
  }

  @Override
  public Optional<Lease> find(int shard) {
    synchronized (lock) {
      return Optional.ofNullable(shards.get(shard)).map(this::lease);
    }
  }

  private Lease lease(Row row) {
    Instant expiresAt =
        row.holder()
            .map(holder -> nodes.get(holder.incarnation()).expiresAt())
            .orElse(row.releasedAt());
    return new Lease(row.shard(), row.epoch(), row.holder(), expiresAt);
  }

  @Override
  public List<Lease> all() {
    synchronized (lock) {
      return shards.values().stream().map(this::lease).toList();
    }
  }

  @Override
  public List<Holding> holdings() {
    synchronized (lock) {
      Instant now = clock.instant();
      return all().stream()
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
