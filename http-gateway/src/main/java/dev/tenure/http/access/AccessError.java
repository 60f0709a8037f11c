package dev.tenure.http.access;

/** The credentials that were configured cannot be used; the message says why, and repeats none. */
public final class AccessError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  AccessError(String message) {
    super(message);
  }

  AccessError(String message, Throwable cause) {
    super(message, cause);
  }
}
