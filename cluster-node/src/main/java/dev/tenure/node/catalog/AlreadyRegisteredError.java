package dev.tenure.node.catalog;

/** Two pieces of code want to be the same workflow or activity; which would run is not guessed. */
public final class AlreadyRegisteredError extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  AlreadyRegisteredError(String message) {
    super(message);
  }
}
