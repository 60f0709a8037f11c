package dev.tenure.simulation;

import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.persistence.entry.Snapshot;
import dev.tenure.persistence.payload.Payloads;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.audit.Violation;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Kernel;
import dev.tenure.workflow.kernel.StateSnapshot;
import dev.tenure.workflow.kernel.WorkflowState;
import java.util.Optional;

/**
 * Whether a snapshot after any commit of a workflow says what its history says, in the bytes of the
 * store, and whether one goes on from it as from the history (I3).
 */
final class SnapshotAudit {
  private static final int NEW_ONE_EVERY_COMMITS = 3;

  private final WorkflowId id;

  /** What an earlier snapshot became with the commits since. */
  private WorkflowState resumed = WorkflowState.none();

  private int commits;

  SnapshotAudit(String id) {
    this.id = WorkflowId.of(id);
  }

  /**
   * @param folded the history up to this commit
   */
  void commit(JournalEntry entry, WorkflowState folded, Payloads payloads) {
    StateSnapshot state = StateSnapshot.of(folded);
    if (resumed.exists()) {
      for (Event event : entry.events()) resumed = Kernel.standard().evolve(resumed, event);
      require(StateSnapshot.of(resumed).equals(state), "one came to " + resumed, folded);
    }
    Snapshot written = new Snapshot(id, entry.head(), entry.link(), state, Optional.empty());
    Snapshot.Reading reading = Snapshot.decode(written.encode(), payloads);
    require(reading.equals(new Snapshot.Reading.Read(written)), "it is read as " + reading, folded);
    if (commits++ % NEW_ONE_EVERY_COMMITS == 0) resumed = state.state();
  }

  private void require(boolean same, String what, WorkflowState folded) {
    Violation.require(same, "I3", "a snapshot of %s: %s, not %s".formatted(id, what, folded));
  }
}
