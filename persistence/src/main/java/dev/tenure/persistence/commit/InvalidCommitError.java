package dev.tenure.persistence.commit;

/** A commit that cannot be stored as it stands; found before anything was sent, nothing changed. */
public final class InvalidCommitError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public InvalidCommitError(String message) {
    super(message);
  }
}
