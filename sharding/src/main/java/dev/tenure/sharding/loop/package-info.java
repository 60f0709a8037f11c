/**
 * One thing after the other, on a clock that somebody turns: what an engine stands on where its
 * every move must be the same again.
 */
package dev.tenure.sharding.loop;
