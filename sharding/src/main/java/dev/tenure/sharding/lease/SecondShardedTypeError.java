package dev.tenure.sharding.lease;

/** Leases are kept per shard number, so they can stand for the shards of one entity type only. */
public final class SecondShardedTypeError extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  SecondShardedTypeError(String first, String second) {
    super(
        "the shards of this store belong to the entity type '%s': '%s' cannot be sharded beside it, because both would claim the same leases. Run it without sharding, or as part of the first"
            .formatted(first, second));
  }
}
