/**
 * How a node becomes a member of the cluster and stays one. {@link
 * dev.tenure.sharding.cluster.ClusterRuntime} starts the actor system over a storage and starts
 * shards on it; it finds the other members in the store.
 *
 * <p>This package may use {@code deployment}, {@code lease} and {@code pool}.
 */
package dev.tenure.sharding.cluster;
