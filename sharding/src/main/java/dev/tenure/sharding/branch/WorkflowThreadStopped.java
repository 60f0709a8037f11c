package dev.tenure.sharding.branch;

/**
 * Takes a thread of workflow code out of the code. The run goes on elsewhere, or is over: whoever
 * catches this gets it again at the next call of the context.
 */
public class WorkflowThreadStopped extends Error {
  private static final long serialVersionUID = 1L;

  public WorkflowThreadStopped() {
    super("this run of the workflow's code is over", null, false, false);
  }
}
