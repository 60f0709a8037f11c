package dev.tenure.persistence.visibility;

import dev.tenure.persistence.key.KeyText;
import dev.tenure.workflow.WorkflowId;
import java.time.Instant;

/** A workflow and when it must be awake. */
public record WakeUp(WorkflowId workflowId, int shard, Instant at) {
  /** Where the next page starts: after this one. */
  public Point point() {
    return new Point(at, KeyText.column(workflowId.value()));
  }

  /**
   * A place in the order of wake-ups: what is due at the same moment stands in the order of ids.
   *
   * @param column the id as the store has it, empty before all that are due at the moment
   */
  public record Point(Instant at, String column) {
    /** Before everything. */
    public static final Point FIRST = new Point(StoredTime.EARLIEST, "");

    /** Before everything that is due at this moment. */
    public static Point before(Instant at) {
      return new Point(StoredTime.floor(at), "");
    }
  }
}
