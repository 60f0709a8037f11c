package dev.tenure.workflow;

/** An operation took longer than it was given, in all its attempts. */
public final class OperationTimedOutException extends WorkflowException {
  private static final long serialVersionUID = 1L;

  public OperationTimedOutException(String message) {
    super(message);
  }
}
