package dev.tenure.persistence.proof;

/** A checkpoint, a proof or a key cannot be read, or does not hold; the message says why. */
public final class ProofError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ProofError(String message) {
    super(message);
  }

  public ProofError(String message, Throwable cause) {
    super(message, cause);
  }
}
