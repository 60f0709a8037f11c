package dev.tenure.persistence.postgres;

import dev.tenure.persistence.key.KeyText;
import dev.tenure.persistence.visibility.Attributes;
import dev.tenure.persistence.visibility.StatusCode;
import dev.tenure.persistence.visibility.WorkflowChange;
import dev.tenure.persistence.visibility.WorkflowRow;
import dev.tenure.workflow.WorkflowId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The changes of open workflows in a commit: each kind one statement for many rows. Those that
 * close a workflow, or take up a closed one, are in {@link ClosingWrites}.
 */
final class WorkflowWrites {
  /** Fails when the id is that of a workflow which was removed a short while ago. */
  static final String NOT_REMOVED =
      """
      (SELECT refuse_removed_id(r.id, r.free_at) FROM workflow_removed r
        WHERE r.id = c.id AND (r.rows_left OR r.free_at > clock_timestamp()) LIMIT 1) IS NULL
      """;

  /**
   * There is no ON CONFLICT: a start whose id has a row already, though its journal is gone, is
   * refused as a whole, and nothing of it stored. Rows of closed workflows are not looked at: their
   * journal knows the id.
   */
  static final SideStatement START =
      new SideStatement(
          "workflow-start",
          SideStatement.WriteOrder.START,
          """
          INSERT INTO workflow (id, shard, run_id, type, type_version, status, wake_at, started_at,
            parent, head_version, head_link)
          SELECT * FROM unnest(?::text[], ?::int4[], ?::text[], ?::text[], ?::int4[], ?::text[],
            ?::timestamptz[], ?::timestamptz[], ?::text[], ?::int8[], ?::bytea[])
            AS c (id)
          WHERE\s
          """
              + NOT_REMOVED,
          List.of(
              "text",
              "int4",
              "text",
              "text",
              "int4",
              "text",
              "timestamptz",
              "timestamptz",
              "text",
              "int8",
              "bytea"),
          Optional.of(
              """
              INSERT INTO workflow (id, shard, run_id, type, type_version, status, wake_at,
                started_at, parent, head_version, head_link)
              SELECT * FROM (VALUES (?::text, ?::int4, ?::text, ?::text, ?::int4, ?::text,
                ?::timestamptz, ?::timestamptz, ?::text, ?::int8, ?::bytea)) AS c (id)
              WHERE\s
              """
                  + NOT_REMOVED));

  /**
   * Locks all rows that the transaction changes or removes, in the order of their ids. The
   * transactions that accept signals lock the same rows in the same order; with another order, two
   * transactions could wait for each other. The statements behind it begin when the locks are
   * granted, so they see every signal that was accepted before: one that was accepted after the
   * owner looked keeps the workflow due. One row alone needs no order, and no statement of its own.
   */
  static final SideStatement LOCK =
      new SideStatement(
          "workflow-lock",
          SideStatement.WriteOrder.LOCK_WORKFLOWS,
          """
          SELECT count(*) FROM (
            SELECT 1 FROM workflow WHERE id = ANY (?::text[])
            ORDER BY id FOR NO KEY UPDATE) locked
          """,
          List.of("text"),
          Optional.of(""));

  /**
   * Finds each row by its place, which cannot change while the row is locked. The place counts in
   * one table only, so the table is compared, too.
   *
   * <p>{@code taken} is the position of a signal that the commit itself accepts. When it is not the
   * next one the statement fails, as it does when not all commits are stored, and the whole batch
   * fails with it. A commit may give back the signal that it accepted itself; that signal then
   * keeps the workflow due.
   */
  static final SideStatement CHANGE =
      new SideStatement(
          "workflow-change",
          SideStatement.WriteOrder.CHANGE,
          """
          UPDATE workflow w SET status = c.status,
            run_id = coalesce(c.run_id, w.run_id),
            type_version = coalesce(c.type_version, w.type_version),
            wake_at = CASE
              WHEN coalesce(c.taken, w.signals) > greatest(c.signals_seen, w.signals_before)
              THEN least(c.wake_at, clock_timestamp()) ELSE c.wake_at END,
            signals = CASE WHEN c.taken IS NULL THEN w.signals
              WHEN w.signals = c.taken - 1 THEN c.taken
              ELSE length(require_all_stored(0, 1)::text) END,
            pending = greatest(0, w.pending + c.queued),
            head_version = coalesce(c.head_version, w.head_version),
            head_link = coalesce(c.head_link, w.head_link)
          FROM (
            SELECT a.*, v.part, v.row FROM unnest(?::text[], ?::text[], ?::timestamptz[], ?::int8[],
              ?::text[], ?::int4[], ?::int8[], ?::int4[], ?::int8[], ?::bytea[])
              AS a (id, status, wake_at, signals_seen, run_id, type_version, taken, queued,
                head_version, head_link)
            CROSS JOIN LATERAL (
              SELECT u.tableoid AS part, u.ctid AS row FROM workflow u
              WHERE u.id = a.id LIMIT 1) v) c
          WHERE w.ctid = c.row AND w.tableoid = c.part
          """,
          List.of(
              "text",
              "text",
              "timestamptz",
              "int8",
              "text",
              "int4",
              "int8",
              "int4",
              "int8",
              "bytea"),
          // One row needs no order. When PostgreSQL waited for its lock, it compares and computes
          // with the newest form of the row.
          Optional.of(
              """
              UPDATE workflow w SET status = c.status,
                run_id = coalesce(c.run_id, w.run_id),
                type_version = coalesce(c.type_version, w.type_version),
                wake_at = CASE
                  WHEN coalesce(c.taken, w.signals) > greatest(c.signals_seen, w.signals_before)
                  THEN least(c.wake_at, clock_timestamp()) ELSE c.wake_at END,
                signals = CASE WHEN c.taken IS NULL THEN w.signals
                  WHEN w.signals = c.taken - 1 THEN c.taken
                  ELSE length(require_all_stored(0, 1)::text) END,
                pending = greatest(0, w.pending + c.queued),
                head_version = coalesce(c.head_version, w.head_version),
                head_link = coalesce(c.head_link, w.head_link)
              FROM (SELECT ?::text AS id, ?::text AS status, ?::timestamptz AS wake_at,
                ?::int8 AS signals_seen, ?::text AS run_id, ?::int4 AS type_version,
                ?::int8 AS taken, ?::int4 AS queued,
                ?::int8 AS head_version, ?::bytea AS head_link) c
              WHERE w.id = c.id
              """));

  /** A commit that changes what waits in an inbox, and nothing else of the workflow's row. */
  static final SideStatement QUEUED =
      new SideStatement(
          "workflow-queued",
          SideStatement.WriteOrder.CHANGE,
          """
          UPDATE workflow w SET pending = greatest(0, w.pending + c.queued)
          FROM (
            SELECT a.*, v.part, v.row FROM unnest(?::text[], ?::int4[]) AS a (id, queued)
            CROSS JOIN LATERAL (
              SELECT u.tableoid AS part, u.ctid AS row FROM workflow u
              WHERE u.id = a.id LIMIT 1) v) c
          WHERE w.ctid = c.row AND w.tableoid = c.part
          """,
          List.of("text", "int4"),
          Optional.of(
              """
              UPDATE workflow w SET pending = greatest(0, w.pending + c.queued)
              FROM (SELECT ?::text AS id, ?::int4 AS queued) c WHERE w.id = c.id
              """));

  /**
   * The run of another start. What was accepted until now was not for it, and does not wait any
   * more. A workflow that was closed is open again when this comes ({@link ClosingWrites#REOPEN}).
   */
  static final SideStatement AGAIN =
      new SideStatement(
          "workflow-start-again",
          SideStatement.WriteOrder.CHANGE,
          """
          UPDATE workflow w SET run_id = c.run_id, type = c.type, type_version = c.type_version,
            status = c.status, started_at = c.started_at, parent = c.parent,
            signals_before = w.signals, pending = 0,
            wake_at = CASE WHEN w.signals > w.signals_before
              THEN least(c.wake_at, clock_timestamp()) ELSE c.wake_at END,
            head_version = c.head_version, head_link = c.head_link
          FROM (
            SELECT a.*, v.part, v.row FROM unnest(?::text[], ?::text[], ?::text[], ?::int4[],
              ?::text[], ?::timestamptz[], ?::timestamptz[], ?::text[], ?::int8[], ?::bytea[])
              AS a (id, run_id, type, type_version, status, wake_at, started_at, parent,
                head_version, head_link)
            CROSS JOIN LATERAL (
              SELECT u.tableoid AS part, u.ctid AS row FROM workflow u
              WHERE u.id = a.id LIMIT 1) v) c
          WHERE w.ctid = c.row AND w.tableoid = c.part
          """,
          List.of(
              "text",
              "text",
              "text",
              "int4",
              "text",
              "timestamptz",
              "timestamptz",
              "text",
              "int8",
              "bytea"),
          Optional.of(
              """
              UPDATE workflow w SET run_id = c.run_id, type = c.type,
                type_version = c.type_version, status = c.status, started_at = c.started_at,
                parent = c.parent, signals_before = w.signals, pending = 0,
                wake_at = CASE WHEN w.signals > w.signals_before
                  THEN least(c.wake_at, clock_timestamp()) ELSE c.wake_at END,
                head_version = c.head_version, head_link = c.head_link
              FROM (SELECT ?::text AS id, ?::text AS run_id, ?::text AS type,
                ?::int4 AS type_version, ?::text AS status, ?::timestamptz AS wake_at,
                ?::timestamptz AS started_at, ?::text AS parent, ?::int8 AS head_version,
                ?::bytea AS head_link) c
              WHERE w.id = c.id
              """));

  /** The attributes of an open workflow. A change of a closed one changes nothing (I4). */
  static final SideStatement SEARCH =
      new SideStatement(
          "workflow-search",
          SideStatement.WriteOrder.SETTLE,
          """
          INSERT INTO workflow_search (id, attributes)
          SELECT a.id, a.attributes FROM unnest(?::text[], ?::jsonb[]) AS a (id, attributes)
          WHERE (SELECT true FROM workflow w WHERE w.id = a.id LIMIT 1)
          ON CONFLICT (id) DO UPDATE SET attributes = excluded.attributes
          """,
          List.of("text", "jsonb"));

  /** It has no attributes any more. */
  static final SideStatement SEARCH_NO_MORE =
      new SideStatement(
          "workflow-search-no-more",
          SideStatement.WriteOrder.SETTLE,
          """
          DELETE FROM workflow_search WHERE id = ANY (?::text[])
          """,
          List.of("text"));

  private WorkflowWrites() {}

  static List<SideValues> start(WorkflowRow row, SideRowContext context) {
    SideValues start =
        context.startsClosed() ? ClosingWrites.start(row, context) : startOpen(row, context);
    return row.attributes().isEmpty() || row.closedAt().isPresent()
        ? List.of(start)
        : List.of(start, searched(KeyText.column(row.id().value()), row.attributes()));
  }

  private static SideValues startOpen(WorkflowRow row, SideRowContext context) {
    return SideValues.of(
        START,
        KeyText.column(row.id().value()),
        row.shard(),
        KeyText.column(row.runId()),
        KeyText.column(row.type().name()),
        row.type().version(),
        StatusCode.of(row.status()),
        written(row.wakeAt()),
        row.startedAt().toString(),
        row.parent().map(parent -> KeyText.column(parent.value())).orElse(null),
        context.version(),
        context.link());
  }

  static List<SideValues> startAgain(WorkflowRow row, SideRowContext context) {
    String id = KeyText.column(row.id().value());
    SideValues again =
        SideValues.of(
            AGAIN,
            id,
            KeyText.column(row.runId()),
            KeyText.column(row.type().name()),
            row.type().version(),
            StatusCode.of(row.status()),
            written(row.wakeAt()),
            row.startedAt().toString(),
            row.parent().map(parent -> KeyText.column(parent.value())).orElse(null),
            context.version(),
            context.link());
    return List.of(
        SideValues.of(ClosingWrites.REOPEN, id),
        SideValues.of(LOCK, id),
        again,
        SignalWrites.settle(row.id()),
        searched(id, row.attributes()));
  }

  private static SideValues searched(String id, Attributes attributes) {
    return attributes.isEmpty()
        ? SideValues.of(SEARCH_NO_MORE, id)
        : SideValues.of(SEARCH, id, AttributesJson.of(attributes));
  }

  static List<SideValues> change(WorkflowChange change, SideRowContext context) {
    if (change.closedAt().isPresent()) return ClosingWrites.close(change, context);
    String id = KeyText.column(change.id().value());
    List<SideValues> all = new ArrayList<>(3);
    all.add(SideValues.of(LOCK, id));
    all.add(
        SideValues.of(
            CHANGE,
            id,
            StatusCode.of(change.status()),
            written(change.wakeAt()),
            change.signalsSeen(),
            change.run().map(run -> KeyText.column(run.runId())).orElse(null),
            change.run().map(WorkflowChange.Run::version).orElse(null),
            change.signalTaken().isPresent() ? (Long) change.signalTaken().getAsLong() : null,
            context.queued(),
            context.version(),
            context.link()));
    change.attributes().ifPresent(attributes -> all.add(searched(id, attributes)));
    return all;
  }

  static List<SideValues> queued(WorkflowId workflow, SideRowContext context) {
    String id = KeyText.column(workflow.value());
    return List.of(SideValues.of(LOCK, id), SideValues.of(QUEUED, id, context.queued()));
  }

  static String written(Optional<Instant> time) {
    return time.map(Instant::toString).orElse(null);
  }
}
