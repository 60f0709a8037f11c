package dev.tenure.sharding.run;

import dev.tenure.persistence.entry.Snapshot;
import dev.tenure.sharding.commit.HistoryWriter;
import dev.tenure.sharding.host.Host;
import dev.tenure.sharding.snapshot.SnapshotSchedule;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.WorkflowState;

/** Offers a snapshot of a run to {@code SnapshotWriter} when one is due after a commit. */
final class SnapshotOffers {
  private final Host host;
  private final HistoryWriter history;
  private final CodeRun code;
  private final SnapshotSchedule schedule;
  private boolean hasBegun;
  private boolean wasRestored;

  SnapshotOffers(Host host, HistoryWriter history, CodeRun code) {
    this.host = host;
    this.history = history;
    this.code = code;
    this.schedule = new SnapshotSchedule(host.limits.eventsPerSnapshot());
  }

  /**
   * Counts from the snapshot that the owner went on from, from the events that were read, or from
   * the last snapshot that could not be used.
   */
  private void begins() {
    hasBegun = true;
    if (wasRestored) {
      // What earlier owners committed behind the snapshot counts, or a workflow whose owners do
      // little each would get no more snapshots.
      schedule.stands(history.bytesBehindSnapshot());
      return;
    }
    long read = history.eventsRead();
    WorkflowId id = history.state().start().id();
    long inVain = host.snapshotWriter.madeInVain(id);
    // A recovery of so few rows does not look for a snapshot, so the run needs none. Where a look
    // had no answer, there may be one.
    if (history.rowsRead() < host.limits.rowsBeforeSnapshot()
        || host.snapshotReader.hadNoAnswer(id)) schedule.begins(read);
    else if (inVain <= read) schedule.countsFrom(inVain);
  }

  /** The owner went on from this snapshot. */
  void restored(Snapshot snapshot) {
    wasRestored = true;
    schedule.begins(snapshot.state().events());
  }

  /**
   * A commit stands, and its effects are performed.
   *
   * @param bytes of the journal's row
   */
  void stands(int bytes) {
    if (!hasBegun) begins();
    schedule.stands(bytes);
    WorkflowState state = history.state();
    if (!schedule.isDue(state.eventCount()) || state.phase().isOver()) return;
    // Wishes that are not on record would be missing after the snapshot.
    if (!code.isSettled()) return;
    host.snapshotWriter.offer(schedule, state.eventCount(), () -> history.snapshot(code.memory()));
  }
}
