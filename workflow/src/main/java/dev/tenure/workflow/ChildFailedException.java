package dev.tenure.workflow;

/** A child did not complete: it failed, was cancelled, terminated, or ran out of time. */
public final class ChildFailedException extends WorkflowException {
  private static final long serialVersionUID = 1L;

  private final transient Failure failure;

  public ChildFailedException(String what, Failure failure) {
    super(what + ": " + failure);
    this.failure = failure;
  }

  public Failure failure() {
    return failure;
  }
}
