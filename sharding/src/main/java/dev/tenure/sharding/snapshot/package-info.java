/**
 * Snapshots of workflows, so that a long history need not be folded again: when the next one is
 * due, who writes it beside the commits, and which one a recovery may begin with. A snapshot is
 * never needed: where one is missing or late, or does not agree with the journal, the history is
 * folded from its beginning.
 *
 * <p>This package uses no other one of {@code sharding}.
 */
package dev.tenure.sharding.snapshot;
