package dev.tenure.workflow;

/** What the context throws into workflow code. */
public abstract class WorkflowException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  protected WorkflowException(String message) {
    super(message);
  }

  protected WorkflowException(String message, Throwable cause) {
    super(message, cause);
  }
}
