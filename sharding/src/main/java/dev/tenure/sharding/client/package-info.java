/**
 * Workflows as an application uses them: typed, and blocking, as virtual threads like it.
 *
 * <p>This package may use {@code workflow}, {@code message} and {@code payload}.
 */
package dev.tenure.sharding.client;
