package dev.tenure.sharding.history;

/** The given commits are not a workflow's history, or not all of it. */
public final class InvalidHistoryException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  InvalidHistoryException(String message) {
    super(message);
  }

  InvalidHistoryException(String message, Throwable cause) {
    super(message, cause);
  }
}
