package dev.tenure.persistence.signal;

import dev.tenure.workflow.WorkflowId;
import java.time.Instant;

/**
 * The canonical answer to a signal, the same for every retry over every transport. What the request
 * was wrapped in is not in it.
 *
 * @param position its place among the signals of its workflow: they are handed out in this order
 */
public record AcceptedSignalResult(
    WorkflowId workflowId,
    String signalName,
    String signalId,
    Instant acceptedAt,
    String signalStorageKey,
    long position) {
  /** The contract's field of this name: a stored result is always an accepted one. */
  public boolean accepted() {
    return true;
  }

  public static AcceptedSignalResult of(Signal signal, Instant acceptedAt, long position) {
    return new AcceptedSignalResult(
        signal.workflowId(), signal.name(), signal.id(), acceptedAt, signal.storageKey(), position);
  }
}
