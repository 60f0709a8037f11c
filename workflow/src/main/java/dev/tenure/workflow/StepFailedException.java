package dev.tenure.workflow;

/** A step failed for good, and what it threw cannot be made again from what was recorded. */
public final class StepFailedException extends WorkflowException {
  private static final long serialVersionUID = 1L;

  private final transient Failure failure;

  public StepFailedException(String what, Failure failure) {
    super(what + ": " + failure);
    this.failure = failure;
  }

  public Failure failure() {
    return failure;
  }
}
