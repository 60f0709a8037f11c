/**
 * A node that runs one task after the other, on a clock that a test or the simulation turns. {@link
 * dev.tenure.sharding.loop.Loop} runs what is due; {@link dev.tenure.sharding.loop.LoopNode} has
 * the same owners as a real node; what it is given takes the place of actors, threads and a
 * network.
 *
 * <p>This package may use every other one but {@code node}. None uses it.
 */
package dev.tenure.sharding.loop;
