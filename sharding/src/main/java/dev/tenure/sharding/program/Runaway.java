package dev.tenure.sharding.program;

/** Code of a program that runs for too long, and that its owner has given up. */
public interface Runaway {
  /** Whether it still uses a thread of this node. */
  boolean isAlive();

  /** Interrupts the code's thread, and adds a carrier for other threads while that one computes. */
  void abandon();
}
