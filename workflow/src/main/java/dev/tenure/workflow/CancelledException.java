package dev.tenure.workflow;

/** Thrown where cancelled code waits. Clean up, then let it through. */
public final class CancelledException extends WorkflowException {
  private static final long serialVersionUID = 1L;

  /** Without a message it has an empty one, because the record of a workflow keeps what it says. */
  public CancelledException(String message) {
    super(message == null ? "" : message);
  }
}
