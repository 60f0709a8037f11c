package dev.tenure.persistence.postgres;

import dev.tenure.persistence.key.KeyText;
import dev.tenure.persistence.visibility.StatusCode;
import dev.tenure.persistence.visibility.WorkflowChange;
import dev.tenure.persistence.visibility.WorkflowRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The changes of {@code workflow} in a commit: each kind one statement for many rows. */
final class WorkflowWrites {
  /**
   * There is no ON CONFLICT: a start whose id has a row already, though its journal is gone, is
   * refused as a whole, and nothing of it stored.
   */
  static final SideStatement START =
      new SideStatement(
          "workflow-start",
          SideStatement.WriteOrder.START,
          """
          INSERT INTO workflow (id, shard, run_id, type, type_version, status, wake_at, started_at,
            closed_at, parent, attributes)
          SELECT * FROM unnest(?::text[], ?::int4[], ?::text[], ?::text[], ?::int4[], ?::text[],
            ?::timestamptz[], ?::timestamptz[], ?::timestamptz[], ?::text[], ?::jsonb[])
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
              "jsonb"),
          Optional.of(
              """
              INSERT INTO workflow (id, shard, run_id, type, type_version, status, wake_at,
                started_at, closed_at, parent, attributes)
              VALUES (?, ?, ?, ?, ?, ?, ?::timestamptz, ?::timestamptz, ?::timestamptz, ?, ?::jsonb)
              """));

  /**
   * The first statement locks the rows in the order of their ids. The transactions that accept
   * signals lock the same rows in the same order; with another order, two transactions could wait
   * for each other. The second statement begins when the locks are granted, so it sees every signal
   * that was accepted before: one that was accepted after the owner looked keeps the workflow due.
   * It finds each row by its place, which cannot change while the row is locked.
   *
   * <p>{@code accepted} is how many signals the owner knows of. It is given only for a commit that
   * depends on the number: one that accepts the next signal, or one that closes a workflow and says
   * that its inbox is empty. When the number is wrong the statement fails, as it does when not all
   * commits are stored, and the whole batch fails with it. A commit may give back the signal that
   * it accepted itself; that signal then keeps the workflow due.
   */
  static final SideStatement CHANGE =
      new SideStatement(
          "workflow-change",
          SideStatement.WriteOrder.CHANGE,
          """
          SELECT count(*) FROM (
            SELECT 1 FROM workflow WHERE id = ANY (?::text[])
            ORDER BY id FOR NO KEY UPDATE) locked;
          UPDATE workflow w SET status = c.status, closed_at = c.closed_at,
            attributes = coalesce(c.attributes, w.attributes),
            wake_at = CASE WHEN c.closed_at IS NULL
                AND w.signals + c.takes > greatest(c.signals_seen, w.signals_before)
              THEN least(c.wake_at, clock_timestamp()) ELSE c.wake_at END,
            signals = CASE WHEN c.accepted IS NULL THEN w.signals
              WHEN w.signals = c.accepted AND (w.closed_at IS NULL OR c.takes = 0)
                THEN w.signals + c.takes
              ELSE length(require_all_stored(0, 1)::text) END
          FROM (
            SELECT a.*, v.row FROM unnest(?::text[], ?::text[], ?::timestamptz[], ?::int8[],
              ?::timestamptz[], ?::jsonb[], ?::int4[], ?::int8[], ?::int4[])
              AS a (id, status, wake_at, signals_seen, closed_at, attributes, begins, accepted,
                takes)
            CROSS JOIN LATERAL (
              SELECT u.ctid AS row FROM workflow u
              WHERE u.id = a.id AND (u.closed_at IS NULL OR a.begins = 1 OR a.takes = 1)
              LIMIT 1) v) c
          WHERE w.ctid = c.row
          """,
          List.of(
              "text",
              "text",
              "text",
              "timestamptz",
              "int8",
              "timestamptz",
              "jsonb",
              "int4",
              "int8",
              "int4"),
          // One row needs no order. When PostgreSQL waited for its lock, it compares and computes
          // with the newest form of the row.
          Optional.of(
              """
              UPDATE workflow w SET status = c.status, closed_at = c.closed_at,
                attributes = coalesce(c.attributes, w.attributes),
                wake_at = CASE WHEN c.closed_at IS NULL
                    AND w.signals + c.takes > greatest(c.signals_seen, w.signals_before)
                  THEN least(c.wake_at, clock_timestamp()) ELSE c.wake_at END,
                signals = CASE WHEN c.accepted IS NULL THEN w.signals
                  WHEN w.signals = c.accepted AND (w.closed_at IS NULL OR c.takes = 0)
                    THEN w.signals + c.takes
                  ELSE length(require_all_stored(0, 1)::text) END
              FROM (SELECT ?::text AS locked, ?::text AS id, ?::text AS status,
                ?::timestamptz AS wake_at, ?::int8 AS signals_seen, ?::timestamptz AS closed_at,
                ?::jsonb AS attributes, ?::int4 AS begins, ?::int8 AS accepted,
                ?::int4 AS takes) c
              WHERE w.id = c.id AND (w.closed_at IS NULL OR c.begins = 1 OR c.takes = 1)
              """));

  /**
   * Another run, or another version of the code. The row is locked: this goes with a {@link
   * #CHANGE} of the same commit only, and is written after all of them.
   */
  static final SideStatement RUN =
      new SideStatement(
          "workflow-run",
          SideStatement.WriteOrder.SETTLE,
          """
          UPDATE workflow w SET run_id = c.run_id, type_version = c.version
          FROM (
            SELECT a.*, v.row FROM unnest(?::text[], ?::text[], ?::int4[])
              AS a (id, run_id, version)
            CROSS JOIN LATERAL (
              SELECT u.ctid AS row FROM workflow u WHERE u.id = a.id LIMIT 1) v) c
          WHERE w.ctid = c.row
          """,
          List.of("text", "text", "int4"));

  /**
   * What the run of another start has of its own. As for {@link #RUN}, the row is locked, and the
   * change of the same commit is written. What was accepted until now was not for this run.
   */
  static final SideStatement AGAIN =
      new SideStatement(
          "workflow-start-again",
          SideStatement.WriteOrder.SETTLE,
          """
          UPDATE workflow w SET run_id = c.run_id, type = c.type, type_version = c.version,
            started_at = c.started_at, parent = c.parent, signals_before = w.signals
          FROM (
            SELECT a.*, v.row FROM unnest(?::text[], ?::text[], ?::text[], ?::int4[],
              ?::timestamptz[], ?::text[]) AS a (id, run_id, type, version, started_at, parent)
            CROSS JOIN LATERAL (
              SELECT u.ctid AS row FROM workflow u WHERE u.id = a.id LIMIT 1) v) c
          WHERE w.ctid = c.row
          """,
          List.of("text", "text", "text", "int4", "timestamptz", "text"));

  private WorkflowWrites() {}

  static SideValues start(WorkflowRow row) {
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
        written(row.closedAt()),
        row.parent().map(id -> KeyText.column(id.value())).orElse(null),
        AttributesJson.of(row.attributes()));
  }

  static List<SideValues> startAgain(WorkflowRow row) {
    String id = KeyText.column(row.id().value());
    SideValues change =
        SideValues.of(
            CHANGE,
            id,
            id,
            StatusCode.of(row.status()),
            written(row.wakeAt()),
            0L,
            null,
            AttributesJson.of(row.attributes()),
            1,
            null,
            0);
    SideValues again =
        SideValues.of(
            AGAIN,
            id,
            KeyText.column(row.runId()),
            KeyText.column(row.type().name()),
            row.type().version(),
            row.startedAt().toString(),
            row.parent().map(parent -> KeyText.column(parent.value())).orElse(null));
    return List.of(change, SignalWrites.settle(row.id()), again);
  }

  /**
   * @param careful after a batch failed: then nothing is taken for granted that makes one fail.
   *     Whether signals can be accepted was looked at under the locks
   */
  static List<SideValues> change(WorkflowChange change, boolean careful) {
    String id = KeyText.column(change.id().value());
    boolean closes = change.closedAt().isPresent();
    boolean settles = closes && (careful || change.emptyUpTo().isEmpty());
    SideValues row =
        SideValues.of(
            CHANGE,
            id,
            id,
            StatusCode.of(change.status()),
            written(change.wakeAt()),
            change.signalsSeen(),
            written(change.closedAt()),
            change.attributes().map(AttributesJson::of).orElse(null),
            0,
            accepted(change, closes && !settles),
            change.signalTaken().isPresent() ? 1 : 0);
    if (!settles && change.run().isEmpty()) return List.of(row);
    List<SideValues> all = new ArrayList<>(3);
    all.add(row);
    if (settles) all.add(SignalWrites.settle(change.id()));
    change
        .run()
        .ifPresent(
            run -> all.add(SideValues.of(RUN, id, KeyText.column(run.runId()), run.version())));
    return all;
  }

  /** How many signals must have been accepted before; null when that does not matter. */
  private static Long accepted(WorkflowChange change, boolean leavesInbox) {
    if (change.signalTaken().isPresent()) return change.signalTaken().getAsLong() - 1;
    return leavesInbox ? change.emptyUpTo().getAsLong() : null;
  }

  private static String written(Optional<Instant> time) {
    return time.map(Instant::toString).orElse(null);
  }
}
