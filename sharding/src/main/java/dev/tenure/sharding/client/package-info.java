/**
 * Workflows as an application uses them: with types, and with calls that block, which is cheap on
 * virtual threads.
 *
 * <p>This package may use {@code workflow}, {@code message} and {@code payload}.
 */
package dev.tenure.sharding.client;
