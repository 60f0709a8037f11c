package dev.tenure.persistence.postgres;

import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.key.KeyText;
import dev.tenure.workflow.WorkflowId;
import java.util.List;
import java.util.Optional;

/** What a commit takes from its workflow's inbox, or leaves unconsumed in it. */
final class SignalWrites {
  /**
   * Rows of an inbox are only ever touched by its workflow's owner, so they are where this
   * statement found them. Looked up one by one on purpose: an inbox that is empty most of the time
   * would otherwise be read as a whole when it is not.
   */
  static final SideStatement CONSUME =
      new SideStatement(
          "signal-consume",
          SideStatement.Turn.CONSUME,
          """
          DELETE FROM signal_inbox WHERE ctid = ANY (ARRAY(
            SELECT i.row FROM unnest(?::text[], ?::int8[]) AS c (workflow_id, position)
            CROSS JOIN LATERAL (
              SELECT s.ctid AS row FROM signal_inbox s
              WHERE s.workflow_id = c.workflow_id
                AND s.position BETWEEN c.position AND c.position
              ORDER BY s.position LIMIT 1) i))
          """,
          List.of("text", "int8"));

  /**
   * Runs after the statement that closed the workflow, under the lock of its row and with a view of
   * its own: whoever accepted a signal before is seen, whoever comes later finds it closed (I13).
   */
  static final SideStatement SETTLE =
      new SideStatement(
          "signal-settle",
          SideStatement.Turn.SETTLE,
          """
          UPDATE signal_inbox SET unconsumed_at = clock_timestamp() WHERE ctid = ANY (ARRAY(
            SELECT i.row FROM unnest(?::text[]) AS c (workflow_id) CROSS JOIN LATERAL (
              SELECT s.ctid AS row FROM signal_inbox s
              WHERE s.workflow_id = c.workflow_id AND s.unconsumed_at IS NULL OFFSET 0) i))
          """,
          List.of("text"),
          Optional.of(
              """
              UPDATE signal_inbox SET unconsumed_at = clock_timestamp()
              WHERE workflow_id = ? AND unconsumed_at IS NULL
              """));

  private SignalWrites() {}

  static SideValues consume(SideRow.SignalConsumed signal) {
    return SideValues.of(CONSUME, KeyText.column(signal.workflow().value()), signal.position());
  }

  /** Goes with the change that closes the workflow. */
  static SideValues settle(WorkflowId workflowId) {
    return SideValues.of(SETTLE, KeyText.column(workflowId.value()));
  }
}
