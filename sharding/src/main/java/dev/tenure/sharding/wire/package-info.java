/**
 * What travels between nodes, as bytes: versioned, and read by nodes of the release before and
 * after, because a rolling upgrade has both in one cluster.
 *
 * <p>This package may use {@code program}.
 */
package dev.tenure.sharding.wire;
