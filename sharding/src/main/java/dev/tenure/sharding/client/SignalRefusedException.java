package dev.tenure.sharding.client;

import dev.tenure.persistence.signal.SignalResult;
import dev.tenure.workflow.WorkflowException;
import dev.tenure.workflow.WorkflowId;

/** The signal was not accepted, and nothing was stored; the result says why. */
public final class SignalRefusedException extends WorkflowException {
  private static final long serialVersionUID = 1L;

  private final transient SignalResult result;

  SignalRefusedException(WorkflowId id, String signal, String why, SignalResult result) {
    super("Signal \"%s\" to workflow \"%s\" was not accepted: %s.".formatted(signal, id, why));
    this.result = result;
  }

  public SignalResult result() {
    return result;
  }
}
