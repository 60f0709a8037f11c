package dev.tenure.workflow;

/** A thread that the engine did not start used the context. Use WorkflowContext.async. */
public final class WrongThreadException extends WorkflowException {
  private static final long serialVersionUID = 1L;

  public WrongThreadException(String message) {
    super(message);
  }
}
