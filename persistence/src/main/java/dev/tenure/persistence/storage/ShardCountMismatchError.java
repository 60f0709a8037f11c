package dev.tenure.persistence.storage;

/** The store spreads its workflows over another number of shards; nothing was claimed. */
public final class ShardCountMismatchError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ShardCountMismatchError(String recorded, int configured) {
    super(
        ("the store was created with %1$s shards, and this engine is configured with %2$d. The"
                + " number is fixed for the life of a store, since it decides where each workflow"
                + " belongs: configure %1$s.")
            .formatted(recorded, configured));
  }
}
