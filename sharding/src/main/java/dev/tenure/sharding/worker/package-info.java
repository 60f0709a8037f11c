/**
 * The node as a worker: runs the calls of its own activities that go through a queue, because a
 * limit of theirs holds for the whole cluster, or because their owners' nodes lack the code.
 *
 * <p>This package may use {@code task}, {@code activity} and {@code host}.
 */
package dev.tenure.sharding.worker;
