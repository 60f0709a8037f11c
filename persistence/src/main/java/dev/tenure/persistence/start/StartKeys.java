package dev.tenure.persistence.start;

import dev.tenure.workflow.WorkflowId;
import java.time.Duration;

/** Which workflow a start's key belongs to: the first claim of a key decides, for ever. */
public interface StartKeys {
  /**
   * A claim that is older is young again when it is made again: its start is about to be tried, and
   * {@link #purge} must not come between the two.
   */
  Duration RENEWED_AFTER = Duration.ofHours(1);

  /** A claim that is younger may still be about to start its workflow: it is not removed. */
  Duration KEPT_FOR = Duration.ofDays(1);

  /** The workflow that a key belongs to, and the request that claimed it. */
  record Claim(WorkflowId workflowId, String requestHash) {}

  /**
   * The claim that is stored under the key: this one, if it is the first. It may be made again
   * after any outcome of the first try.
   */
  Claim claim(String key, Claim wanted);

  /** Where a walk through the keys is. */
  record Place(String column) {
    public static final Place BEGINNING = new Place("");
  }

  /**
   * @param next where to go on; the beginning again when all were looked at
   */
  record Purged(int keys, Place next) {}

  /**
   * Forgets keys as their workflows are forgotten, among so many of them behind a place: those
   * whose workflows are not there, and whose claims are old.
   */
  Purged purge(Place after, int limit);
}
