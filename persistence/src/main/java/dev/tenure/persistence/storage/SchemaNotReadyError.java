package dev.tenure.persistence.storage;

/** The tables that this engine needs are not there, or not as it needs them. */
public final class SchemaNotReadyError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public SchemaNotReadyError(String message) {
    super(message);
  }

  public SchemaNotReadyError(String message, Throwable cause) {
    super(message, cause);
  }
}
