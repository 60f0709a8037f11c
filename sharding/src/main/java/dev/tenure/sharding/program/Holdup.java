package dev.tenure.sharding.program;

/** Why a program does not come back. */
public sealed interface Holdup {
  /**
   * It blocks, or loops, between two calls of the context.
   *
   * @param where what it does, for people
   */
  record InCode(Runaway runaway, String where) implements Holdup {}

  /** It could go on, but a step that nobody wants any more does not give its thread back. */
  record InStep(String step) implements Holdup {}
}
