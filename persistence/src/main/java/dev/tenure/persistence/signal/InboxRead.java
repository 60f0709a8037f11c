package dev.tenure.persistence.signal;

import dev.tenure.workflow.WorkflowId;

/** A wish for the signals of a workflow after a position, at most so many. */
public record InboxRead(WorkflowId workflowId, long after, int maxSignals) {
  public static final int MAX_SIGNALS = 1_000;

  public InboxRead {
    if (maxSignals < 1 || maxSignals > MAX_SIGNALS) {
      throw new IllegalArgumentException(
          "reading %d signals at once: choose from 1 to %d".formatted(maxSignals, MAX_SIGNALS));
    }
  }
}
