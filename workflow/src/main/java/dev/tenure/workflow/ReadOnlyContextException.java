package dev.tenure.workflow;

/**
 * A query or a validator used the context for more than reading. Nothing was done; the client gets
 * this as the failure of the query, or as the refusal of the update.
 */
public final class ReadOnlyContextException extends WorkflowException {
  private static final long serialVersionUID = 1L;

  public ReadOnlyContextException(String message) {
    super(message);
  }
}
