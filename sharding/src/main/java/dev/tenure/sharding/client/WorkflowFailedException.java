package dev.tenure.sharding.client;

import dev.tenure.workflow.WorkflowException;
import dev.tenure.workflow.operation.Outcome;

/**
 * There is no result: the workflow, or the update it was sent, failed, was cancelled, terminated or
 * ran out of time. The cause is what the workflow's code threw, as far as its class is known here.
 */
public final class WorkflowFailedException extends WorkflowException {
  private static final long serialVersionUID = 1L;

  private final transient Outcome outcome;

  WorkflowFailedException(String message, Outcome outcome, Throwable cause) {
    super(message, cause);
    this.outcome = outcome;
  }

  public Outcome outcome() {
    return outcome;
  }
}
