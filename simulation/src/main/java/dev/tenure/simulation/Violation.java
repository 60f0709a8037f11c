package dev.tenure.simulation;

/** An invariant is broken. */
public final class Violation extends RuntimeException {
  private static final long serialVersionUID = 1L;

  Violation(String invariant, String what) {
    super(invariant + ": " + what);
  }

  static void require(boolean holds, String invariant, String what) {
    if (!holds) throw new Violation(invariant, what);
  }
}
