package dev.tenure.persistence.postgres;

import dev.tenure.persistence.commit.SideRow;
import java.util.Arrays;
import java.util.List;

/** What one side row is for one statement: the values of its columns. */
record SideValues(SideStatement statement, List<Object> values) {
  SideValues {
    if (values.size() != statement.columnTypes().size()) {
      throw new IllegalStateException(
          statement.name()
              + " has "
              + statement.columnTypes().size()
              + " columns, not "
              + values.size());
    }
  }

  static SideValues of(SideStatement statement, Object... values) {
    return new SideValues(statement, Arrays.asList(values));
  }

  /** All that a row is written with. */
  static List<SideValues> of(SideRow row, SideRowContext context) {
    return switch (row) {
      case SideRow.WorkflowStarted one -> WorkflowWrites.start(one.row(), context);
      case SideRow.WorkflowStartedAgain one -> WorkflowWrites.startAgain(one.row(), context);
      case SideRow.WorkflowChanged one -> WorkflowWrites.change(one.change(), context);
      case SideRow.SignalConsumed one -> List.of(SignalWrites.consume(one));
      case SideRow.SignalTaken one -> List.of(SignalWrites.take(one, context));
      case SideRow.SignalReturned one -> List.of(PostgresSignals.giveBack(one));
      case SideRow.IncidentRaised one -> List.of(IncidentWrites.raise(one.row()));
      case SideRow.IncidentClosed one -> List.of(IncidentWrites.close(one.workflow()));
      case SideRow.WorkflowProgressed one -> List.of(RecoveryWrites.progressed(one.workflow()));
      case SideRow.PayloadKept one -> List.of(PayloadWrites.keep(one));
      case SideRow.ActivityClaimed one -> ActivityWrites.claim(one);
      case SideRow.ActivitySettled one -> ActivityWrites.settle(one);
      case SideRow.TaskOffered one -> TaskWrites.offer(one.offer());
      case SideRow.TaskHeldBack one -> TaskWrites.holdBack(one.offer());
      case SideRow.TaskRemoved one -> TaskWrites.remove(one.task());
      case SideRow.TasksRemoved one -> TaskWrites.removeAll(one.workflow());
      case SideRow.ResultsAwaited one -> List.of(TaskWrites.await(one.workflow()));
    };
  }
}
