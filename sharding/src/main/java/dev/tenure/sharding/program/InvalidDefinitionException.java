package dev.tenure.sharding.program;

/** A document is no program of the kind that it says. */
public final class InvalidDefinitionException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message what is wrong, and where
   */
  public InvalidDefinitionException(String message) {
    super(message);
  }
}
