package dev.tenure.persistence.journal;

import dev.tenure.persistence.commit.Fence;

/** Nothing was stored: the tenure is lost, or this very snapshot is there already. */
public final class SnapshotNotStored extends RuntimeException {
  private static final long serialVersionUID = 1L;

  SnapshotNotStored(String persistenceId, long version, Fence fence) {
    super(
        "the snapshot of %s at version %d was not stored under %s: fenced, or there already"
            .formatted(persistenceId, version, fence),
        null,
        false,
        false);
  }
}
