package dev.tenure.sharding.activity;

import dev.tenure.persistence.activity.ActivityEffect;
import dev.tenure.persistence.activity.ActivityKey;
import dev.tenure.persistence.activity.ActivityRecord;
import dev.tenure.persistence.activity.ActivityRecords.Recorded;
import java.util.Optional;

/**
 * The records of keyed calls, as an executor asks them. Its methods block, and throw a {@link
 * dev.tenure.persistence.storage.StorageException} when the store cannot be reached for too long.
 */
public interface InvocationLedger {
  Optional<ActivityRecord> find(ActivityKey key);

  /** Stores an effect beside the commits of the workflow's owner. */
  Recorded complete(ActivityEffect effect);

  /** Whether no newer owner has claimed the call, and nobody has completed it. */
  default boolean isNewestClaim(ActivityTask task) {
    try {
      return find(task.record())
          .filter(record -> !record.isSettled() && record.epoch() <= task.tenure().epoch())
          .isPresent();
    } catch (RuntimeException unreadable) {
      return false;
    }
  }
}
