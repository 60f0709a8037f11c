/**
 * What is kept for a time only, and who removes it.
 *
 * <p>This package uses no other one of {@code sharding}.
 */
package dev.tenure.sharding.retention;
