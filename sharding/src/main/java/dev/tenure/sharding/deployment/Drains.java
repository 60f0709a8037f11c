package dev.tenure.sharding.deployment;

import java.util.OptionalLong;

/** What the nodes say about those of them that are being drained. */
public interface Drains {
  /** Whether the node at this address is being drained. */
  boolean leaves(String address);

  /**
   * When a node last said that what was due in a shard it took has begun there, by the clock of
   * {@link System#nanoTime}; empty when none did.
   */
  OptionalLong begunAt(int shard);
}
