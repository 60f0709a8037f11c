/**
 * Brings workflows back into memory when they are due, and shards that no node holds.
 *
 * <p>This package may use {@code deployment}.
 */
package dev.tenure.sharding.wake;
