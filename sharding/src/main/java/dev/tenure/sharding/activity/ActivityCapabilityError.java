package dev.tenure.sharding.activity;

/**
 * A keyed activity needs a storage that claims a call atomically, and this one cannot. Found before
 * anything is called.
 */
public final class ActivityCapabilityError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ActivityCapabilityError(String activity, String adapter) {
    super(
        "Activity %s has a key, and the storage %s reports conditionalBatch = false: a keyed call cannot be claimed there. Use a storage with conditionalBatch, or an activity without a key."
            .formatted(activity, adapter));
  }
}
