package dev.tenure.persistence.postgres;

import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.key.KeyText;
import dev.tenure.persistence.signal.ContentHash;
import dev.tenure.persistence.signal.Signal;
import dev.tenure.workflow.WorkflowId;
import java.util.HexFormat;
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
          SideStatement.WriteOrder.CONSUME,
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
   * Runs after the statement that closed the workflow, under the lock of its row and with a
   * snapshot of its own. It sees each signal that was accepted before; a transaction that would
   * accept one later finds the workflow closed (I13).
   */
  static final SideStatement SETTLE =
      new SideStatement(
          "signal-settle",
          SideStatement.WriteOrder.SETTLE,
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

  /**
   * The answer to a signal that the commit itself accepts. Runs after the workflow's row was locked
   * and its counter raised. A transaction that accepts signals locks in the same order; with
   * another order the two could wait for each other. When the signal has an answer already, the
   * batch fails.
   */
  static final SideStatement TAKE =
      new SideStatement(
          "signal-take",
          SideStatement.WriteOrder.SETTLE,
          """
          INSERT INTO signal_response (workflow_id, signal_name, signal_id, shard, position,
            accepted_at, expires_at, payload_hash)
          SELECT t.workflow_id, t.name, t.id, t.shard, t.position, t.accepted_at,
            clock_timestamp() + t.retention * interval '1 millisecond', t.hash
          FROM unnest(?::text[], ?::text[], ?::text[], ?::int4[], ?::int8[], ?::timestamptz[],
            ?::int8[], ?::bytea[])
            AS t (workflow_id, name, id, shard, position, accepted_at, retention, hash)
          """,
          List.of("text", "text", "text", "int4", "int8", "timestamptz", "int8", "bytea"),
          Optional.of(
              """
              INSERT INTO signal_response (workflow_id, signal_name, signal_id, shard, position,
                accepted_at, expires_at, payload_hash)
              VALUES (?, ?, ?, ?, ?, ?::timestamptz,
                clock_timestamp() + ? * interval '1 millisecond', ?)
              """));

  private SignalWrites() {}

  static SideValues take(SideRow.SignalTaken taken) {
    Signal signal = taken.signal();
    return SideValues.of(
        TAKE,
        KeyText.column(signal.workflowId().value()),
        KeyText.column(signal.name()),
        KeyText.column(signal.id()),
        taken.shard(),
        taken.position(),
        taken.acceptedAt().toString(),
        taken.retention().toMillis(),
        HexFormat.of().parseHex(ContentHash.of(signal.payload()).hex()));
  }

  static SideValues consume(SideRow.SignalConsumed signal) {
    return SideValues.of(CONSUME, KeyText.column(signal.workflow().value()), signal.position());
  }

  /** Goes with the change that closes the workflow. */
  static SideValues settle(WorkflowId workflowId) {
    return SideValues.of(SETTLE, KeyText.column(workflowId.value()));
  }
}
