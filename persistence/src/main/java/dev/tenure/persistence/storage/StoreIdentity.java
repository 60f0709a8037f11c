package dev.tenure.persistence.storage;

/**
 * What a store is for good: which processes may write its checkpoints, and into how many shards its
 * workflows are spread. It is recorded when the store is first used and compared ever after.
 */
public record StoreIdentity(CheckpointOwnership mode, int shards) {
  public static final int MIN_SHARDS = 1;
  public static final int MAX_SHARDS = 10_000;

  /** Under which keys a store records it. */
  public static final String OWNERSHIP_KEY = "checkpoint-ownership";

  public static final String SHARDS_KEY = "shards";

  public StoreIdentity {
    if (mode == null) throw new IllegalArgumentException("the checkpoint ownership is missing");
    if (shards < MIN_SHARDS || shards > MAX_SHARDS) {
      throw new IllegalArgumentException(
          "the number of shards is %d: choose one from %d to %d"
              .formatted(shards, MIN_SHARDS, MAX_SHARDS));
    }
  }

  /** Throws a typed error that says what to do when the store is recorded as something else. */
  public void requireRecorded(String recordedMode, String recordedShards) {
    if (!mode.configName().equals(recordedMode)) {
      throw new OwnershipModeMismatchError(recordedMode, mode);
    }
    if (!Integer.toString(shards).equals(recordedShards)) {
      throw new ShardCountMismatchError(recordedShards, shards);
    }
  }
}
