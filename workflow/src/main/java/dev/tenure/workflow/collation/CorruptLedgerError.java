package dev.tenure.workflow.collation;

/** A stored integer that no sequence of commits can have written. */
public final class CorruptLedgerError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CorruptLedgerError(String what, Object value, String why) {
    super(
        "The %s %s cannot be: %s. Do not resume the job; repair the value from its history."
            .formatted(what, value, why));
  }
}
