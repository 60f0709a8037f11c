package dev.tenure.persistence.storage;

/** The server speaks PostgreSQL's protocol, and does not keep what the engine builds on. */
public final class StorageNotSupportedError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StorageNotSupportedError(StorageCapabilities found) {
    super(
        "this storage is not supported: %s. Use a PostgreSQL server."
            .formatted(String.join("; ", found.reasons())));
  }
}
