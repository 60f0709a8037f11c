package dev.tenure.workflow;

/** An update's validator says no; thrown by validators, and told to who sent it. */
public final class UpdateRejectedException extends WorkflowException {
  private static final long serialVersionUID = 1L;

  public UpdateRejectedException(String message) {
    super(message);
  }
}
