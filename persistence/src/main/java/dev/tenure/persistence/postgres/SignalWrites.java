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
          DELETE FROM signal_inbox d USING (
            SELECT i.part, i.row FROM unnest(?::text[], ?::int8[]) AS c (workflow_id, position)
            CROSS JOIN LATERAL (
              SELECT s.tableoid AS part, s.ctid AS row FROM signal_inbox s
              WHERE s.workflow_id = c.workflow_id
                AND s.position BETWEEN c.position AND c.position
              ORDER BY s.position LIMIT 1) i) f
          WHERE d.ctid = f.row AND d.tableoid = f.part
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
          UPDATE signal_inbox u SET unconsumed_at = clock_timestamp()
          FROM (
            SELECT i.part, i.row FROM unnest(?::text[]) AS c (workflow_id) CROSS JOIN LATERAL (
              SELECT s.tableoid AS part, s.ctid AS row FROM signal_inbox s
              WHERE s.workflow_id = c.workflow_id AND s.unconsumed_at IS NULL OFFSET 0) i) f
          WHERE u.ctid = f.row AND u.tableoid = f.part
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
   * batch fails. So it does when the workflow is not open behind the commit, unless the commit
   * closes it: what closes a workflow finds that out itself.
   */
  static final SideStatement TAKE =
      new SideStatement(
          "signal-take",
          SideStatement.WriteOrder.SETTLE,
          """
          INSERT INTO signal_response (workflow_id, signal_name, signal_id, shard, position,
            accepted_at, expires_at, payload_hash)
          SELECT t.workflow_id, t.name, t.id, t.shard,
            CASE WHEN t.closes = 1 OR (
                SELECT w.signals = t.position FROM workflow w WHERE w.id = t.workflow_id LIMIT 1)
              THEN t.position ELSE length(require_all_stored(0, 1)::text) END,
            t.accepted_at, clock_timestamp() + t.retention * interval '1 millisecond', t.hash
          FROM unnest(?::text[], ?::text[], ?::text[], ?::int4[], ?::int8[], ?::timestamptz[],
            ?::int8[], ?::bytea[], ?::int4[])
            AS t (workflow_id, name, id, shard, position, accepted_at, retention, hash, closes)
          """,
          List.of("text", "text", "text", "int4", "int8", "timestamptz", "int8", "bytea", "int4"),
          Optional.of(
              """
              INSERT INTO signal_response (workflow_id, signal_name, signal_id, shard, position,
                accepted_at, expires_at, payload_hash)
              SELECT t.workflow_id, t.name, t.id, t.shard,
                CASE WHEN t.closes = 1 OR (
                    SELECT w.signals = t.position FROM workflow w WHERE w.id = t.workflow_id LIMIT 1)
                  THEN t.position ELSE length(require_all_stored(0, 1)::text) END,
                t.accepted_at, clock_timestamp() + t.retention * interval '1 millisecond', t.hash
              FROM (SELECT ?::text AS workflow_id, ?::text AS name, ?::text AS id,
                ?::int4 AS shard, ?::int8 AS position, ?::timestamptz AS accepted_at,
                ?::int8 AS retention, ?::bytea AS hash, ?::int4 AS closes) t
              """));

  private SignalWrites() {}

  static SideValues take(SideRow.SignalTaken taken, SideRowContext context) {
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
        HexFormat.of().parseHex(ContentHash.of(signal.payload()).hex()),
        context.closes() ? 1 : 0);
  }

  static SideValues consume(SideRow.SignalConsumed signal) {
    return SideValues.of(CONSUME, KeyText.column(signal.workflow().value()), signal.position());
  }

  /** Goes with the change that closes the workflow. */
  static SideValues settle(WorkflowId workflowId) {
    return SideValues.of(SETTLE, KeyText.column(workflowId.value()));
  }
}
