package dev.tenure.simulation;

import dev.tenure.persistence.memory.MemoryStorage;
import dev.tenure.persistence.visibility.WorkflowRow;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.audit.Violation;
import dev.tenure.workflow.kernel.Wake;
import dev.tenure.workflow.kernel.WorkflowState;
import dev.tenure.workflow.lifecycle.WorkflowPhase;
import java.time.Instant;

/**
 * Compares a workflow's row with the state that a commit leaves. The next scan of due workflows
 * corrects a row that says too little, so a later check would not find it.
 */
final class RowAudit {
  private RowAudit() {}

  /**
   * @param hasAwaited whether a signal stands in its inbox that a wait is for
   * @param now when the commit is stored
   */
  static void require(
      MemoryStorage storage, WorkflowId id, WorkflowState state, boolean hasAwaited, Instant now) {
    WorkflowRow row = storage.workflows().find(id).orElseThrow();
    boolean closed = state.phase() == WorkflowPhase.CLOSED;
    if (!closed)
      switch (state.wakeAt()) {
        case Wake.Now _ -> dueBy(row, now);
        // What is due already, the commit says to be due now.
        case Wake.At(Instant instant) -> dueBy(row, instant.isAfter(now) ? instant : now);
        // A signal that concerns no wait may keep it due all the same.
        case Wake.Never _ -> {}
      }
    if (!closed && hasAwaited) dueBy(row, now);
    Violation.require(
        row.status() == state.status() && row.closedAt().isPresent() == closed,
        "I3",
        "the row of %s says %s, its history %s".formatted(row.id(), row, state.status()));
  }

  private static void dueBy(WorkflowRow row, Instant time) {
    // Rows keep microseconds.
    Instant last = time.plusNanos(999);
    Violation.require(
        row.wakeAt().filter(at -> !at.isAfter(last)).isPresent(),
        "I8",
        "%s must be awake at %s, and its row says %s".formatted(row.id(), time, row.wakeAt()));
  }
}
