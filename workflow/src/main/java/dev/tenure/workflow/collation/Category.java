package dev.tenure.workflow.collation;

/** Which legs an activity has, and in which of them its three steps run. */
public enum Category {
  /** Asks in Leg1, runs its steps in Leg2 when answered. */
  A,
  /** Has Leg1 only, and runs its steps there, because it has children. */
  B,
  /** Has Leg1 only and no children. */
  C,
  /** The root: creates the job. */
  D;

  public boolean hasLeg2() {
    return this == A;
  }
}
