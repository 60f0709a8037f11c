package dev.tenure.workflow;

/** What waits sees this when it is cancelled. Clean up, then let it through. */
public final class CancelledException extends WorkflowException {
  private static final long serialVersionUID = 1L;

  public CancelledException(String message) {
    super(message);
  }
}
