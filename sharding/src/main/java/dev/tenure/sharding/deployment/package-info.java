/**
 * What code the nodes of a cluster have. It decides which version of its code a new run gets, and
 * which shards are handed to a node that has the code that their workflows wait for.
 *
 * <p>Each node writes what it has into its row of {@code cluster_member}. {@link
 * dev.tenure.sharding.deployment.Deployments} keeps what all of them wrote in memory, so an owner
 * decides without asking the database.
 *
 * <p>This package uses no other one of {@code sharding}.
 */
package dev.tenure.sharding.deployment;
