package dev.tenure.sharding.branch;

/** Thrown to take the code out of a run that continues as new. */
public final class ContinueAsNewUnwind extends WorkflowThreadStopped {
  private static final long serialVersionUID = 1L;
}
