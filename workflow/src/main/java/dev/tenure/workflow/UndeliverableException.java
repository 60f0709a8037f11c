package dev.tenure.workflow;

/** Another workflow could not be reached, and never will be: it does not exist, or has ended. */
public final class UndeliverableException extends WorkflowException {
  private static final long serialVersionUID = 1L;

  private final transient Failure failure;

  public UndeliverableException(String what, Failure failure) {
    super(what + ": " + failure);
    this.failure = failure;
  }

  public Failure failure() {
    return failure;
  }
}
