/**
 * A node on which everything happens one after the other, on a clock that somebody turns: the
 * testkit and the simulation stand on it. {@link dev.tenure.sharding.loop.Loop} runs what is due;
 * {@link dev.tenure.sharding.loop.LoopNode} has the same owners as a real node, and instead of
 * actors, threads and a network whatever it is given.
 *
 * <p>This package may use every other one but {@code node}. None uses it.
 */
package dev.tenure.sharding.loop;
