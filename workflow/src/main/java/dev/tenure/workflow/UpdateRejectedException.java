package dev.tenure.workflow;

/** A validator throws this to refuse an update; the sender of the update gets it. */
public final class UpdateRejectedException extends WorkflowException {
  private static final long serialVersionUID = 1L;

  public UpdateRejectedException(String message) {
    super(message);
  }
}
