package dev.tenure.persistence.signal;

/** A signal that cannot be accepted as it stands. Nothing was stored. */
public final class InvalidSignalError extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  InvalidSignalError(String message) {
    super(message);
  }
}
