package dev.tenure.sharding.program;

/** A part of a program that does not come back, and that its owner goes on without. */
public interface Runaway {
  /** Whether it still uses a thread of this node. */
  boolean isAlive();

  /** It was given up: has it end if it can, and sees to it that others can run if it cannot. */
  void abandon();
}
