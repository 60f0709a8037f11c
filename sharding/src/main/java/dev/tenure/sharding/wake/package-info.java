/** What brings workflows back into memory when they are due, and shards when nobody holds them. */
package dev.tenure.sharding.wake;
