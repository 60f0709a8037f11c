package dev.tenure.persistence.lease;

import java.time.Instant;
import java.util.Optional;

/**
 * A shard's lease as it is stored. A released one has no holder and keeps its epoch.
 *
 * @param expiresAt when the holder loses all its shards unless it beats before; the time of the
 *     release, if there is no holder
 */
public record Lease(int shard, long epoch, Optional<Holder> holder, Instant expiresAt) {}
