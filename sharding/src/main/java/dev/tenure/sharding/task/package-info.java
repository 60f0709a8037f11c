/**
 * Hands tasks to workers and takes their reports, one desk on each node. Polls that find nothing
 * wait in memory; hints and one look per second for all of them say when a queue has work.
 *
 * <p>This package may use {@code wire}.
 */
package dev.tenure.sharding.task;
