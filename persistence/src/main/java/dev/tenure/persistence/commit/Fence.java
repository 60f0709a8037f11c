package dev.tenure.persistence.commit;

/** The right to write: a shard and the epoch of the lease under which its owner acts. */
public record Fence(int shard, long epoch) {
  public Fence {
    if (shard < 0) throw new IllegalArgumentException("shard " + shard + " is negative");
    if (epoch < 1) throw new IllegalArgumentException("epoch " + epoch + " was never granted");
  }
}
