package dev.tenure.persistence.postgres;

import dev.tenure.persistence.key.KeyText;
import dev.tenure.persistence.visibility.StatusCode;
import dev.tenure.persistence.visibility.WorkflowChange;
import dev.tenure.persistence.visibility.WorkflowRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How the rows of workflows go from the table of the open ones into that of the closed ones, and
 * back. A row moves within the transaction of its commit, so every statement of others finds it in
 * exactly one of the two.
 */
final class ClosingWrites {
  /**
   * The commit closes the workflow. {@link WorkflowWrites#LOCK} was granted before, so the row
   * stays at its place, and its counter of signals is the newest.
   *
   * <p>{@code accepted} is how many signals the owner knows of. It is given only for a commit that
   * depends on the number: one that accepts the next signal, or one that says that the inbox is
   * empty. When the number is wrong the statement fails, as it does when not all commits are
   * stored, and the whole batch fails with it. So it does when the workflow takes a signal and is
   * not open.
   */
  static final SideStatement CLOSE =
      new SideStatement(
          "workflow-close",
          SideStatement.WriteOrder.CHANGE,
          """
          WITH gone AS (
            DELETE FROM workflow w USING (
              SELECT a.*, v.part, v.row
              FROM unnest(?::text[], ?::text[], ?::timestamptz[], ?::jsonb[], ?::text[], ?::int4[],
                ?::int8[], ?::int4[], ?::int8[], ?::bytea[])
                AS a (id, status, closed_at, attributes, run_id, type_version, accepted, takes,
                  head_version, head_link)
              LEFT JOIN LATERAL (
                SELECT u.tableoid AS part, u.ctid AS row FROM workflow u
                WHERE u.id = a.id LIMIT 1) v ON true
              WHERE v.row IS NOT NULL
                OR a.takes = 1 AND length(require_all_stored(0, 1)::text) > 0) c
            WHERE w.ctid = c.row AND w.tableoid = c.part
            RETURNING w.number, w.started_at, c.closed_at, w.shard, w.id, w.type, w.parent,
              c.status, c.attributes,
              coalesce(c.run_id, w.run_id) AS run_id,
              coalesce(c.type_version, w.type_version) AS type_version,
              CASE WHEN c.accepted IS NULL OR w.signals = c.accepted THEN w.signals + c.takes
                ELSE length(require_all_stored(0, 1)::text) END AS signals,
              coalesce(c.head_version, w.head_version) AS head_version,
              coalesce(c.head_link, w.head_link) AS head_link
          ), searched AS (
            DELETE FROM workflow_search WHERE id = ANY (ARRAY(SELECT g.id FROM gone g))
            RETURNING id, attributes
          )
          INSERT INTO workflow_closed (number, started_at, closed_at, signals, head_version, shard,
            type_version, id, run_id, type, status, parent, head_link, attributes)
          SELECT g.number, g.started_at, g.closed_at, g.signals, g.head_version, g.shard,
            g.type_version, g.id, g.run_id, g.type, g.status, g.parent, g.head_link,
            coalesce(g.attributes, s.attributes, '{}')
          FROM gone g LEFT JOIN searched s ON s.id = g.id
          """,
          List.of(
              "text",
              "text",
              "timestamptz",
              "jsonb",
              "text",
              "int4",
              "int8",
              "int4",
              "int8",
              "bytea"),
          // One row needs no order. When PostgreSQL waited for its lock, it removes and returns the
          // newest form of the row.
          Optional.of(
              """
              WITH c AS (SELECT ?::text AS id, ?::text AS status, ?::timestamptz AS closed_at,
                ?::jsonb AS attributes, ?::text AS run_id, ?::int4 AS type_version,
                ?::int8 AS accepted, ?::int4 AS takes, ?::int8 AS head_version,
                ?::bytea AS head_link
              ), gone AS (
                DELETE FROM workflow w USING c WHERE w.id = c.id
                RETURNING w.number, w.started_at, w.shard, w.id, w.type, w.parent,
                  coalesce(c.run_id, w.run_id) AS run_id,
                  coalesce(c.type_version, w.type_version) AS type_version,
                  CASE WHEN c.accepted IS NULL OR w.signals = c.accepted THEN w.signals + c.takes
                    ELSE length(require_all_stored(0, 1)::text) END AS signals,
                  coalesce(c.head_version, w.head_version) AS head_version,
                  coalesce(c.head_link, w.head_link) AS head_link
              ), searched AS (
                DELETE FROM workflow_search WHERE id = ANY (ARRAY(SELECT g.id FROM gone g))
                RETURNING attributes
              )
              INSERT INTO workflow_closed (number, started_at, closed_at, signals, head_version,
                shard, type_version, id, run_id, type, status, parent, head_link, attributes)
              SELECT g.number, g.started_at, c.closed_at, g.signals, g.head_version, g.shard,
                g.type_version, g.id, g.run_id, g.type, c.status, g.parent, g.head_link,
                coalesce(c.attributes, s.attributes, '{}')
              FROM c LEFT JOIN gone g ON true LEFT JOIN searched s ON true
              WHERE g.id IS NOT NULL
                OR c.takes = 1 AND length(require_all_stored(0, 1)::text) > 0
              """));

  /**
   * Starts of which some are closed by the same commit. One statement gives all of them their
   * numbers, so that these are in the order of the commits.
   */
  static final SideStatement START_SOME_CLOSED =
      new SideStatement(
          "workflow-start-some-closed",
          SideStatement.WriteOrder.START,
          """
          WITH started AS MATERIALIZED (
            SELECT nextval('workflow_number_seq') AS number, c.*
            FROM unnest(?::text[], ?::int4[], ?::text[], ?::text[], ?::int4[], ?::text[],
              ?::timestamptz[], ?::timestamptz[], ?::timestamptz[], ?::text[], ?::jsonb[],
              ?::int8[], ?::bytea[])
              AS c (id, shard, run_id, type, type_version, status, wake_at, started_at, closed_at,
                parent, attributes, head_version, head_link)
            WHERE\s
          """
              + WorkflowWrites.NOT_REMOVED
              + """
              ), opened AS (
                INSERT INTO workflow (number, id, shard, run_id, type, type_version, status, wake_at,
                  started_at, parent, head_version, head_link)
                SELECT s.number, s.id, s.shard, s.run_id, s.type, s.type_version, s.status, s.wake_at,
                  s.started_at, s.parent, s.head_version, s.head_link
                FROM started s WHERE s.closed_at IS NULL
              )
              INSERT INTO workflow_closed (number, started_at, closed_at, signals, head_version, shard,
                type_version, id, run_id, type, status, parent, head_link, attributes)
              SELECT s.number, s.started_at, s.closed_at, 0, s.head_version, s.shard, s.type_version,
                s.id, s.run_id, s.type, s.status, s.parent, s.head_link, s.attributes
              FROM started s
              WHERE s.closed_at IS NOT NULL
                AND CASE WHEN (SELECT true FROM workflow w WHERE w.id = s.id LIMIT 1)
                  THEN refuse_open_id(s.id) ELSE true END
              """,
          List.of(
              "text",
              "int4",
              "text",
              "text",
              "int4",
              "text",
              "timestamptz",
              "timestamptz",
              "timestamptz",
              "text",
              "jsonb",
              "int8",
              "bytea"));

  /**
   * Another start begins a closed workflow again: its row goes back to the open ones, where {@link
   * WorkflowWrites#AGAIN} writes what is new. It changes nothing for a workflow that is open. The
   * signals of the run that is over do not keep the new one due. A workflow that was removed
   * meanwhile has no row in either table: the statement fails then, as it does when not all commits
   * are stored.
   */
  static final SideStatement REOPEN =
      new SideStatement(
          "workflow-reopen",
          SideStatement.WriteOrder.START,
          """
          WITH asked AS (SELECT unnest(?::text[]) AS id), back AS (
            DELETE FROM workflow_closed WHERE id = ANY (ARRAY(SELECT a.id FROM asked a))
            RETURNING number, started_at, closed_at, signals, run_id, shard, type_version, id, type,
              status
          )
          INSERT INTO workflow (number, started_at, signals, signals_before, run_id, shard,
            type_version, id, type, status)
          SELECT DISTINCT ON (b.id) b.number, b.started_at, b.signals, b.signals, b.run_id, b.shard,
            b.type_version, b.id, b.type, b.status
          FROM asked a LEFT JOIN back b ON b.id = a.id
          WHERE b.id IS NOT NULL
            OR (SELECT true FROM workflow w WHERE w.id = a.id LIMIT 1) IS NULL
              AND length(require_all_stored(0, 1)::text) = 0
          ORDER BY b.id, b.closed_at DESC
          """,
          List.of("text"));

  private ClosingWrites() {}

  static SideValues start(WorkflowRow row, SideRowContext context) {
    return SideValues.of(
        START_SOME_CLOSED,
        KeyText.column(row.id().value()),
        row.shard(),
        KeyText.column(row.runId()),
        KeyText.column(row.type().name()),
        row.type().version(),
        StatusCode.of(row.status()),
        WorkflowWrites.written(row.wakeAt()),
        row.startedAt().toString(),
        WorkflowWrites.written(row.closedAt()),
        row.parent().map(parent -> KeyText.column(parent.value())).orElse(null),
        AttributesJson.of(row.attributes()),
        context.version(),
        context.link());
  }

  /** The change that closes a workflow, and what becomes of its inbox. */
  static List<SideValues> close(WorkflowChange change, SideRowContext context) {
    String id = KeyText.column(change.id().value());
    boolean settles = context.careful() || change.emptyUpTo().isEmpty();
    List<SideValues> all = new ArrayList<>(3);
    all.add(SideValues.of(WorkflowWrites.LOCK, id));
    all.add(
        SideValues.of(
            CLOSE,
            id,
            StatusCode.of(change.status()),
            WorkflowWrites.written(change.closedAt()),
            change.attributes().map(AttributesJson::of).orElse(null),
            change.run().map(run -> KeyText.column(run.runId())).orElse(null),
            change.run().map(WorkflowChange.Run::version).orElse(null),
            accepted(change, settles),
            change.signalTaken().isPresent() ? 1 : 0,
            context.version(),
            context.link()));
    if (settles) all.add(SignalWrites.settle(change.id()));
    return all;
  }

  /** How many signals must have been accepted before; null when that does not matter. */
  private static Long accepted(WorkflowChange change, boolean settles) {
    if (change.signalTaken().isPresent()) return change.signalTaken().getAsLong() - 1;
    return settles ? null : (Long) change.emptyUpTo().getAsLong();
  }
}
