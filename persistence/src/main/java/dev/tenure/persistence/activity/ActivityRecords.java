package dev.tenure.persistence.activity;

import dev.tenure.workflow.WorkflowId;
import java.util.List;
import java.util.Optional;

/**
 * Reads records of keyed calls, and takes effects that no commit of an owner brings. Claims and
 * outcomes are written with the owner's commits, see {@link
 * dev.tenure.persistence.commit.SideRow.ActivityClaimed}.
 */
public interface ActivityRecords {
  /** Effects in one call of {@link #complete}, records in one call of {@link #find}. */
  int MAX_BATCH = 1_000;

  /** Throws unless one call may have so many. */
  static void requireBatch(int size) {
    if (size < 0 || size > MAX_BATCH)
      throw new IllegalArgumentException(
          "%d records of activities at once: use at most %d.".formatted(size, MAX_BATCH));
  }

  /** What became of a reported effect. */
  sealed interface Recorded {
    /** It is durable, or was before with the same result. */
    record Stored() implements Recorded {}

    /**
     * There is another result, which stays; or the call was cancelled, or there is no record of it.
     */
    record Contradicted(Optional<ActivityRecord> found) implements Recorded {}
  }

  /** For each key, its record. */
  List<Optional<ActivityRecord>> find(List<ActivityKey> keys);

  /**
   * Stores effects beside the owner's commits, without its fence: what was done outside is true
   * also under the next owner. A record that is neither completed nor cancelled becomes completed;
   * answer {@code i} is for effect {@code i}. The workflow is due from that moment.
   */
  List<Recorded> complete(List<ActivityEffect> effects);

  /**
   * The record of the call that an operation makes, if it has one; for people, who do not know its
   * key.
   *
   * @param operation see {@link ActivityKey#operation}
   */
  Optional<ActivityRecord> ofOperation(WorkflowId workflow, String operation);

  /** The records of one workflow, the newest claim first; for people. */
  List<ActivityRecord> of(WorkflowId workflow, int limit);
}
