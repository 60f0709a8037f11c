package dev.tenure.persistence.visibility;

import java.time.Instant;

/** A workflow and when it must be awake. */
public record Wake(String workflowId, int shard, Instant at) {
  /** Where the next page starts: after this one. */
  public Point point() {
    return new Point(at, workflowId);
  }

  /** A place in the order of wake-ups: what is due at the same moment stands in the order of ids. */
  public record Point(Instant at, String workflowId) {
    /** Before everything. */
    public static final Point FIRST = new Point(StoredTime.EARLIEST, "");

    /** Before everything that is due at this moment. */
    public static Point before(Instant at) {
      return new Point(StoredTime.floor("the start of a scan", at), "");
    }
  }
}
