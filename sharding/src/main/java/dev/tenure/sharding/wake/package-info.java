/**
 * What brings workflows back into memory when they are due, and shards when nobody holds them.
 *
 * <p>This package may use {@code deployment}.
 */
package dev.tenure.sharding.wake;
