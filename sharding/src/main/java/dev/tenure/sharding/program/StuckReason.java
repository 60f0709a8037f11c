package dev.tenure.sharding.program;

/** Why a program does not come to a wait. */
public sealed interface StuckReason {
  /**
   * The code blocks, or loops, between two calls of the context.
   *
   * @param where the state and the stack of its thread
   */
  record InCode(Runaway runaway, String where) implements StuckReason {}

  /**
   * The code could go on, but an attempt at a step that was stopped does not give its thread back.
   */
  record InStep(String step) implements StuckReason {}
}
