package dev.tenure.persistence.storage;

/** Whether the engine insists that an acknowledged write survives a crash of the store. */
public enum Durability {
  REQUIRED,
  /** For tests and throw-away engines. */
  NOT_REQUIRED;

  /**
   * Called where {@link CheckpointOwnership#require} is called: before anything is acknowledged.
   */
  public void require(Storage storage) {
    if (this == REQUIRED && !storage.capabilities().durable()) {
      throw new StorageNotDurableError(storage);
    }
  }
}
