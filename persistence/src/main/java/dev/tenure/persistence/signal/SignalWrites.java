package dev.tenure.persistence.signal;

import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.commit.SideWrite;
import dev.tenure.persistence.key.KeyText;
import dev.tenure.workflow.WorkflowId;
import java.util.List;

/** What a commit changes in its workflow's inbox. */
public final class SignalWrites {
  static final SideWrite CONSUME =
      new SideWrite(
          "signal-consume",
          SideWrite.Turn.CONSUME,
          """
          DELETE FROM signal_inbox i
          USING unnest(?::text[], ?::int8[]) AS c (workflow_id, position)
          WHERE i.workflow_id = c.workflow_id AND i.position = c.position
          """,
          List.of("text", "int8"));

  /**
   * Runs after the statement that closed the workflow, under the lock of its row and with a view of
   * its own: whoever accepted a signal before is seen, whoever comes later finds it closed (I13).
   */
  static final SideWrite SETTLE =
      new SideWrite(
          "signal-settle",
          SideWrite.Turn.SETTLE,
          """
          UPDATE signal_inbox i SET unconsumed_at = clock_timestamp()
          FROM unnest(?::text[]) AS c (workflow_id)
          WHERE i.workflow_id = c.workflow_id AND i.unconsumed_at IS NULL
          """,
          List.of("text"));

  private SignalWrites() {}

  /** The signal at this position was handed to its workflow. */
  public static SideRow consume(WorkflowId workflowId, long position) {
    return SideRow.of(CONSUME, KeyText.column(workflowId.value()), position);
  }

  /**
   * What still waits is marked as unconsumed; together with the change that closes the workflow.
   */
  public static SideRow settle(WorkflowId workflowId) {
    return SideRow.of(SETTLE, KeyText.column(workflowId.value()));
  }
}
