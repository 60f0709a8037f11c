package dev.tenure.workflow;

/** An activity failed for good. */
public final class ActivityFailedException extends WorkflowException {
  private static final long serialVersionUID = 1L;

  private final transient Failure failure;

  public ActivityFailedException(String what, Failure failure) {
    super(what + ": " + failure);
    this.failure = failure;
  }

  public Failure failure() {
    return failure;
  }
}
