package dev.tenure.workflow.operation;

import dev.tenure.workflow.Payload;

/**
 * One part of what says which item an operation is about. Code that is replayed has to ask for the
 * same part again.
 */
public sealed interface IdentityPart {
  /** How a person reads it: {@code child id}. */
  String name();

  /**
   * @param comparedInForks false for what code may derive from the workflow's id, which is another
   *     one in a fork
   */
  record Text(String name, String text, boolean comparedInForks) implements IdentityPart {}

  /** What is given to the operation. It is not compared in forks, and shown as a hash. */
  record Value(String name, Payload value) implements IdentityPart {}

  static IdentityPart fixed(String name, String text) {
    return new Text(name, text, true);
  }

  static IdentityPart derived(String name, String text) {
    return new Text(name, text, false);
  }

  static IdentityPart derived(String name, Payload value) {
    return new Value(name, value);
  }
}
