/**
 * Workflows from outside: a client over HTTP that needs neither a node nor the engine's libraries.
 * Begin with {@link dev.tenure.client.TenureClient}.
 */
package dev.tenure.client;
