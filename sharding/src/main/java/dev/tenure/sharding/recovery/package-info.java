/**
 * Finds the workflow that takes its nodes down among those that were merely there.
 *
 * <p>This package uses no other one of {@code sharding}.
 */
package dev.tenure.sharding.recovery;
