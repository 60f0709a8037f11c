package dev.tenure.persistence.signal;

import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.commit.SideWrite;
import dev.tenure.persistence.key.KeyText;
import dev.tenure.persistence.payload.Payloads;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.Trace;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Command;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** What a commit changes in its workflow's inbox. */
public final class SignalWrites {
  /**
   * Rows of an inbox are only ever touched by its workflow's owner, so they are where this
   * statement found them. Looked up one by one on purpose: an inbox that is empty most of the time
   * would otherwise be read as a whole when it is not.
   */
  static final SideWrite CONSUME =
      new SideWrite(
          "signal-consume",
          SideWrite.Turn.CONSUME,
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
   * A signal goes back to its place: the row is another one, and says the same. When it was
   * accepted stands in its answer, for as long as that is kept.
   */
  static final SideWrite RETURN =
      new SideWrite(
          "signal-return",
          SideWrite.Turn.START,
          """
          INSERT INTO signal_inbox
            (workflow_id, position, shard, signal_name, signal_id, accepted_at, payload, trace)
          SELECT r.workflow_id, r.position, r.shard, r.name, r.id,
            coalesce((
              SELECT s.accepted_at FROM signal_response s
              WHERE s.workflow_id = r.workflow_id AND s.signal_name = r.name
                AND s.signal_id = r.id AND s.position = r.position LIMIT 1), clock_timestamp()),
            r.payload, r.trace
          FROM unnest(?::text[], ?::int8[], ?::int4[], ?::text[], ?::text[], ?::bytea[], ?::text[])
            AS r (workflow_id, position, shard, name, id, payload, trace)
          """,
          List.of("text", "int8", "int4", "text", "text", "bytea", "text"));

  /**
   * The same for one whose payload is kept apart: it is copied where it is stored, and no owner
   * reads it. One that is not there any more cannot be given back, and keeps no workflow from
   * ending.
   */
  static final SideWrite RETURN_KEPT =
      new SideWrite(
          "signal-return-kept",
          SideWrite.Turn.START,
          """
          INSERT INTO signal_inbox
            (workflow_id, position, shard, signal_name, signal_id, accepted_at, payload, trace)
          SELECT r.workflow_id, r.position, r.shard, r.name, r.id,
            coalesce((
              SELECT s.accepted_at FROM signal_response s
              WHERE s.workflow_id = r.workflow_id AND s.signal_name = r.name
                AND s.signal_id = r.id AND s.position = r.position LIMIT 1), clock_timestamp()),
            p.content, r.trace
          FROM unnest(?::text[], ?::int8[], ?::int4[], ?::text[], ?::text[], ?::bytea[], ?::text[])
            AS r (workflow_id, position, shard, name, id, hash, trace)
          CROSS JOIN LATERAL (
            SELECT k.content FROM payload k
            WHERE k.workflow_id = r.workflow_id AND k.hash = r.hash LIMIT 1) p
          """,
          List.of("text", "int8", "int4", "text", "text", "bytea", "text"));

  /**
   * Runs after the statement that closed the workflow, under the lock of its row and with a view of
   * its own: whoever accepted a signal before is seen, whoever comes later finds it closed (I13).
   */
  static final SideWrite SETTLE =
      new SideWrite(
          "signal-settle",
          SideWrite.Turn.SETTLE,
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

  /** The signal at this position was handed to its workflow. */
  public static SideRow consume(WorkflowId workflowId, long position) {
    return SideRow.of(CONSUME, KeyText.column(workflowId.value()), position);
  }

  /** The workflow gives this signal back, which an earlier commit of it consumed. */
  public static SideRow giveBack(WorkflowId workflowId, int shard, Command.Arrival signal) {
    Payload payload = signal.payload();
    boolean kept = payload.size() > Payloads.APART_BYTES;
    return SideRow.of(
        kept ? RETURN_KEPT : RETURN,
        KeyText.column(workflowId.value()),
        signal.position(),
        shard,
        KeyText.column(signal.signal()),
        KeyText.column(signal.signalId()),
        kept ? HexFormat.of().parseHex(payload.fingerprint()) : payload.bytes(),
        signal.trace().map(Trace::traceparent).orElse(null));
  }

  /**
   * What still waits is marked as unconsumed; together with the change that closes the workflow.
   */
  public static SideRow settle(WorkflowId workflowId) {
    return SideRow.of(SETTLE, KeyText.column(workflowId.value()));
  }
}
