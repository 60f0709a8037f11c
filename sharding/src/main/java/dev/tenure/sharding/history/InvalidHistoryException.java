package dev.tenure.sharding.history;

/** What should be a workflow's history is none, or not all of it. */
public final class InvalidHistoryException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  InvalidHistoryException(String message) {
    super(message);
  }

  InvalidHistoryException(String message, Throwable cause) {
    super(message, cause);
  }
}
