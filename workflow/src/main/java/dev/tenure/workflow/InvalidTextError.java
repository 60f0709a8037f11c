package dev.tenure.workflow;

/** A name or an identifier that nothing may be built from. Nothing was stored. */
public final class InvalidTextError extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  InvalidTextError(String what, String why, String advice) {
    super("The %s cannot be used: %s. %s".formatted(what, why, advice));
  }
}
