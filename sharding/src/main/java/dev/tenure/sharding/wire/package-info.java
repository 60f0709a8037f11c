/**
 * The messages between nodes, as bytes. They are versioned, because in a rolling upgrade nodes of
 * one release read the messages of the next and of the one before.
 *
 * <p>This package may use {@code program}.
 */
package dev.tenure.sharding.wire;
