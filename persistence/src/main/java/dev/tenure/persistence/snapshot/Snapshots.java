package dev.tenure.persistence.snapshot;

import dev.tenure.workflow.WorkflowId;
import java.util.Optional;

/**
 * One snapshot for each workflow that has one. Snapshots save work and are never needed: a recovery
 * compares one with the journal before it uses it, so a snapshot may be lost, late, or wrong.
 */
public interface Snapshots {
  /**
   * Keeps the snapshot in the place of an older one. False when the stored one is as new or newer:
   * it was written by a later owner.
   */
  boolean keep(StoredSnapshot snapshot);

  /** The snapshot that is kept for the workflow. */
  Optional<StoredSnapshot> find(WorkflowId id);

  /** Where a walk through the snapshots is. */
  record Place(String column) {
    public static final Place BEGINNING = new Place("");
  }

  /**
   * @param next where to go on; the beginning again when all were looked at
   */
  record Purged(int snapshots, Place next) {}

  /**
   * Removes those of workflows that are closed or gone, among so many snapshots behind a place.
   * That of a workflow which starts again meanwhile may be removed, too.
   */
  Purged purge(Place after, int limit);
}
