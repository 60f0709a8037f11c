package dev.tenure.persistence.archive;

/** An archive cannot be made, kept or read; the message says why, and no secret. */
public final class ArchiveError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ArchiveError(String message) {
    super(message);
  }

  public ArchiveError(String message, Throwable cause) {
    super(message, cause);
  }
}
