package dev.tenure.sharding.program;

/** A document is not a program of the kind that it names. */
public final class InvalidDefinitionException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message what is wrong, and where
   */
  public InvalidDefinitionException(String message) {
    super(message);
  }
}
