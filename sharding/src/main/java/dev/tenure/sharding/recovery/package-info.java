/** Finds the workflow that takes its nodes down among those that were merely there. */
package dev.tenure.sharding.recovery;
