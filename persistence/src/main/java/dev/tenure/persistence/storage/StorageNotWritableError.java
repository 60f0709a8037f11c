package dev.tenure.persistence.storage;

/** The storage takes no writes, so it can neither be brought up to date nor used. */
public final class StorageNotWritableError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StorageNotWritableError(StorageCapabilities found) {
    super(
        "this storage takes no writes: %s. Point the url at the primary."
            .formatted(String.join("; ", found.reasons())));
  }
}
