package dev.tenure.workflow.collation;

/** Whether the obligation of the activity that spawns is discharged by it. */
public enum Parent {
  /** The ordinary case: the activity is done, its children replace it. */
  CLOSES,
  /**
   * The activity waits for more messages: a hook that answers 202, a failed attempt that will be
   * tried again. Exactly one of its messages discharges it; more would break I10.
   */
  STAYS_OPEN;

  /** What spawning so many children does to the semaphore. */
  public long delta(int children) {
    if (children < 0)
      throw new IllegalArgumentException("children is " + children + ": count them from 0.");
    return this == CLOSES ? children - 1L : children;
  }
}
