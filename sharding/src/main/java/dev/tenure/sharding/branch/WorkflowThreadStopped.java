package dev.tenure.sharding.branch;

/**
 * Thrown to take a thread out of the workflow's code, because the run goes on elsewhere or is over.
 * Code that catches it gets it again at the next call of the context.
 */
public class WorkflowThreadStopped extends Error {
  private static final long serialVersionUID = 1L;

  public WorkflowThreadStopped() {
    super("this run of the workflow's code is over", null, false, false);
  }
}
