package dev.tenure.persistence.shard;

import java.nio.charset.StandardCharsets;

/**
 * Which shard a workflow belongs to. Every row carries the answer, so the function is part of the
 * stored format: it never changes, and its test holds golden values.
 *
 * <p>FNV-1a (64 bits) over the id's UTF-8 bytes; then the finalizer of SplitMix64, because FNV
 * leaves ids that differ only in their last characters close together; then the remainder of the
 * unsigned number by the number of shards.
 */
public final class ShardOf {
  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  private ShardOf() {}

  /** A shard from 0 to {@code shards - 1}. */
  public static int workflow(String workflowId, int shards) {
    if (shards < 1) throw new IllegalArgumentException("a store has " + shards + " shards");
    long hash = FNV_OFFSET;
    for (byte b : workflowId.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (b & 0xff)) * FNV_PRIME;
    }
    hash = (hash ^ (hash >>> 30)) * 0xbf58476d1ce4e5b9L;
    hash = (hash ^ (hash >>> 27)) * 0x94d049bb133111ebL;
    hash ^= hash >>> 31;
    return (int) Long.remainderUnsigned(hash, shards);
  }
}
