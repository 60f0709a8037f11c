package dev.tenure.persistence.visibility;

import dev.tenure.workflow.WorkflowId;
import java.time.Instant;

/**
 * A workflow and when it must be awake.
 *
 * @param point where the next page of a scan starts: after this one
 */
public record WakeUp(WorkflowId workflowId, int shard, Point point) {
  public Instant at() {
    return point.at;
  }

  /**
   * A place in the order of wake-ups.
   *
   * @param number decides between those that are due at the same moment
   */
  public record Point(Instant at, long number) {
    /** Before everything. */
    public static final Point FIRST = before(StoredTime.EARLIEST);

    /** Before everything that is due at this moment. */
    public static Point before(Instant at) {
      return new Point(StoredTime.floor(at), Long.MIN_VALUE);
    }
  }
}
