package dev.tenure.sharding.task;

/** The desk has as much to do as it can take. Nothing was done; ask again a little later. */
public final class TaskDeskBusyError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String limit;

  TaskDeskBusyError(String limit, int value, String what) {
    super(
        "This node has %s = %d %s: ask again later, or another node.".formatted(limit, value, what),
        null,
        false,
        false); // thrown in masses under overload: a stack trace each would make it worse
    this.limit = limit;
  }

  /** The name of the limit. */
  public String limit() {
    return limit;
  }
}
