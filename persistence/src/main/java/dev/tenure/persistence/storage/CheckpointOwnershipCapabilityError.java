package dev.tenure.persistence.storage;

/** The storage cannot do what the configured ownership mode needs; nothing was claimed. */
public final class CheckpointOwnershipCapabilityError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CheckpointOwnershipCapabilityError(CheckpointOwnership mode, Storage storage) {
    super(describe(mode, storage));
  }

  private static String describe(CheckpointOwnership mode, Storage storage) {
    StorageCapabilities found = storage.capabilities();
    String missing =
        found.conditionalBatch()
            ? "shared (it has conditionalBatch, but only inside one process)"
            : "conditionalBatch";
    return "checkpoint-ownership is %s, and %s does not offer %s%s. Use a PostgreSQL primary, or checkpoint-ownership = single-owner with one process."
        .formatted(
            mode.configName(),
            storage.getClass().getName(),
            missing,
            found.reasons().isEmpty() ? "" : ": " + String.join("; ", found.reasons()));
  }
}
