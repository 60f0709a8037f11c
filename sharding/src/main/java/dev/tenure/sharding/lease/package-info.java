/**
 * The leases of shards on one node. {@link dev.tenure.sharding.lease.LeaseKeeper} claims, beats and
 * gives up; {@link dev.tenure.sharding.lease.Tenures} says which shards the node holds and at which
 * epochs; {@link dev.tenure.sharding.lease.PostgresShardLease} is what Pekko's Cluster Sharding
 * asks for a lease before it starts a shard.
 *
 * <p>This package may use {@code recovery}.
 */
package dev.tenure.sharding.lease;
