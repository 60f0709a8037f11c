package dev.tenure.simulation;

import dev.tenure.persistence.activity.ActivityKey;
import dev.tenure.persistence.activity.ActivityStatus;
import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.visibility.WorkflowChange;
import dev.tenure.workflow.kernel.Status;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The planted bugs in what is stored beside the history. */
record FlawedRows(Flaw flaw, Checker checker) {
  /** The commit as the bug has it stored. */
  Commit planted(Commit commit) {
    List<SideRow> kept =
        commit.sideRows().stream()
            .filter(row -> !isLost(row) && !isLost(row, commit))
            .map(this::changed)
            .toList();
    return with(commit, commit.fence(), kept);
  }

  private boolean isLost(SideRow row) {
    return switch (row) {
      case SideRow.SignalConsumed s -> flaw == Flaw.SIGNAL_NOT_CONSUMED;
      case SideRow.SignalTaken s -> false;
      case SideRow.WorkflowChanged w -> flaw == Flaw.ROW_NOT_WRITTEN;
      case SideRow.WorkflowStartedAgain w -> flaw == Flaw.ROW_NOT_WRITTEN;
      case SideRow.PayloadKept p -> flaw == Flaw.PAYLOAD_NOT_KEPT;
      case SideRow.WorkflowProgressed w -> flaw == Flaw.SUSPECTS_FOR_EVER;
      case SideRow.WorkflowStarted w -> false;
      case SideRow.SignalReturned s -> false;
      case SideRow.IncidentRaised i -> false;
      case SideRow.IncidentClosed i -> false;
      case SideRow.ActivityClaimed a -> flaw == Flaw.CLAIM_NOT_WRITTEN;
      case SideRow.ActivitySettled a ->
          flaw == Flaw.LEFT_CALL_NOT_SETTLED && a.status() == ActivityStatus.CANCELLED;
      case SideRow.TaskOffered t -> false;
      case SideRow.TaskHeldBack t -> false;
      case SideRow.TaskRemoved t -> flaw == Flaw.TASK_NOT_REMOVED;
      case SideRow.TasksRemoved t -> false;
      case SideRow.ResultsAwaited t -> false;
    };
  }

  private boolean isLost(SideRow row, Commit commit) {
    if (flaw != Flaw.GIVEN_BACK_LOST) return false;
    if (!(row instanceof SideRow.SignalReturned returned)) return false;
    return commit.sideRows().stream()
        .anyMatch(
            one ->
                one instanceof SideRow.SignalTaken taken
                    && taken.position() == returned.signal().position());
  }

  private SideRow changed(SideRow row) {
    if (flaw == Flaw.INBOX_SAID_EMPTY
        && row instanceof SideRow.WorkflowChanged(WorkflowChange change)
        && change.closedAt().isPresent())
      return new SideRow.WorkflowChanged(
          change.withEmptyInbox(checker.inboxes().newest(change.id().value())));
    if (flaw == Flaw.ROW_WRONG
        && row instanceof SideRow.WorkflowChanged(WorkflowChange change)
        && change.status() == Status.COMPLETED)
      return new SideRow.WorkflowChanged(
          new WorkflowChange(
              change.id(),
              Status.FAILED,
              change.wakeAt(),
              change.signalsSeen(),
              change.closedAt(),
              change.attributes(),
              change.run(),
              change.signalTaken(),
              change.emptyUpTo()));
    if (flaw == Flaw.RECORDED_FOR_OTHER_RUN && row instanceof SideRow.ActivitySettled settled)
      return new SideRow.ActivitySettled(
          new ActivityKey(
              settled.key().workflow(),
              "another-run/" + settled.key().operationId(),
              settled.key().activity(),
              settled.key().idempotencyKey()),
          settled.shard(),
          settled.status(),
          settled.result(),
          settled.error(),
          settled.at());
    if (flaw == Flaw.PAYLOAD_MIXED_UP && row instanceof SideRow.PayloadKept kept)
      return new SideRow.PayloadKept(
          kept.workflow(),
          kept.shard(),
          kept.hash(),
          "\"another\"".getBytes(StandardCharsets.UTF_8));
    return row;
  }

  static Commit with(Commit commit, Fence fence, List<SideRow> rows) {
    return new Commit(commit.id(), fence, commit.manifest(), commit.payload(), rows, commit.link());
  }
}
