/**
 * What all workflows of a node share. {@link dev.tenure.sharding.host.Host} holds it: the store,
 * the code, the settings, the threads and the timers. {@link
 * dev.tenure.sharding.host.HostDependencies} is the part of it that differs between a node and a
 * loop. {@link dev.tenure.sharding.host.Residents} are the workflows that are in memory; {@link
 * dev.tenure.sharding.host.LocalFirstTransport} sends messages to those directly. {@link
 * dev.tenure.sharding.host.RetryingSender} repeats messages until they are acknowledged.
 *
 * <p>This package may use {@code message}, {@code program}, {@code code}, {@code activity}, {@code
 * snapshot} and what starts a node. It does not use owners: what belongs to one workflow is in
 * {@code mailbox}, {@code commit}, {@code effect} and {@code run}.
 */
package dev.tenure.sharding.host;
