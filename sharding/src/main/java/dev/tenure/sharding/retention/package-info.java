/**
 * Removes the rows that the store keeps for a limited time only.
 *
 * <p>This package uses no other one of {@code sharding}.
 */
package dev.tenure.sharding.retention;
