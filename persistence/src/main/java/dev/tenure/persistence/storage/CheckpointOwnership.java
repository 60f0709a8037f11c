package dev.tenure.persistence.storage;

/** Which processes may write a workflow's checkpoints: {@code tenure.checkpoint-ownership}. */
public enum CheckpointOwnership {
  /** The deployment guarantees that one process at a time drives the store. */
  SINGLE_OWNER("single-owner"),
  /** Several processes may; every commit is fenced and compared by the store. */
  CAS_REQUIRED("cas-required");

  private final String configName;

  CheckpointOwnership(String configName) {
    this.configName = configName;
  }

  /** How it is written in the configuration and in the store. */
  public String configName() {
    return configName;
  }

  public static CheckpointOwnership parse(String configName) {
    for (CheckpointOwnership mode : values()) if (mode.configName.equals(configName)) return mode;
    throw new IllegalArgumentException(
        "checkpoint-ownership is '" + configName + "': write single-owner or cas-required");
  }

  /**
   * Called at the boundary that can claim ownership, before any lease, sharding, recovery or poll.
   */
  public void require(Storage storage) {
    if (this == SINGLE_OWNER) return;
    StorageCapabilities found = storage.capabilities();
    if (!found.conditionalBatch() || !found.shared()) {
      throw new CheckpointOwnershipCapabilityError(this, storage);
    }
  }
}
