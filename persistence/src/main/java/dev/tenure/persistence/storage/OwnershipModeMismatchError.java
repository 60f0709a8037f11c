package dev.tenure.persistence.storage;

/** The store was opened with another ownership mode before; nothing was claimed. */
public final class OwnershipModeMismatchError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public OwnershipModeMismatchError(String recorded, CheckpointOwnership configured) {
    super(
        ("the store is recorded with checkpoint-ownership %1$s, and this engine is configured with"
                + " %2$s. Set checkpoint-ownership = %1$s; or, with every engine of this store"
                + " stopped, let its owner role set the value of meta's row '%3$s' to %2$s.")
            .formatted(recorded, configured.configName(), StoreIdentity.OWNERSHIP_KEY));
  }
}
