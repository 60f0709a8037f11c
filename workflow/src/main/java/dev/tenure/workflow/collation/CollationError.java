package dev.tenure.workflow.collation;

/** A ledger refused a digit that its own state should allow: the bookkeeping is wrong. */
public final class CollationError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Violation violation;

  CollationError(Violation violation) {
    super(violation.message());
    this.violation = violation;
  }

  public Violation violation() {
    return violation;
  }
}
