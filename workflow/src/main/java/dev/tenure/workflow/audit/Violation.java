package dev.tenure.workflow.audit;

/** An invariant is broken. */
public final class Violation extends AssertionError {
  private static final long serialVersionUID = 1L;

  private final String invariant;

  public Violation(String invariant, String what) {
    super(invariant + ": " + what);
    this.invariant = invariant;
  }

  /** Which one, by its number. */
  public String invariant() {
    return invariant;
  }

  public static void require(boolean holds, String invariant, String what) {
    if (!holds) throw new Violation(invariant, what);
  }
}
