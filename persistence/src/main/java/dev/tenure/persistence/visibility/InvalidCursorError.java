package dev.tenure.persistence.visibility;

/** A cursor that no page of this engine carried. */
public final class InvalidCursorError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  InvalidCursorError() {
    super("the cursor is not one of a page before: give it back as it came, or start again");
  }
}
