package dev.tenure.persistence.postgres;

import dev.tenure.persistence.key.KeyText;
import dev.tenure.persistence.signal.AcceptedSignalResult;
import dev.tenure.persistence.signal.ContentHash;
import dev.tenure.persistence.signal.Signal;
import dev.tenure.persistence.signal.SignalResult;
import dev.tenure.persistence.signal.Signals;
import dev.tenure.persistence.storage.StorageException;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import javax.sql.DataSource;

/** Accepts signals: one transaction and one round trip for many of them. */
final class SignalAcceptance {
  /** A row may appear between two looks. It does not do that again and again. */
  private static final int TRIES_MAX = 5;

  /** A row has changed that was not there to be locked. */
  private static final Set<String> CHANGED_MEANWHILE = Set.of("TN001", "23505");

  private final DataSource pool;

  SignalAcceptance(DataSource pool) {
    this.pool = pool;
  }

  /**
   * The rows of the workflows are locked first, in the order of their ids, as the commits that
   * change them lock them. Until this transaction is over, no other one accepts a signal for them,
   * and no commit closes them.
   */
  static final String LOCK =
      """
      SELECT count(*) FROM (
        SELECT 1 FROM workflow WHERE id = ANY (?::text[]) ORDER BY id FOR NO KEY UPDATE) locked
      """;

  /**
   * Judges and stores everything at once. It is a statement of its own because each statement sees
   * the database as it was when the statement began: one that locked as well would judge by the
   * rows as they were before it waited. The two go to the server together, as one transaction and
   * one round trip.
   *
   * <p>Every look-up has a limit of its own: that keeps it a look-up in an index, where the planner
   * would otherwise read all of a table that was empty when it last looked. The workflow's row is
   * found again by its place, which cannot change while it is locked. A row that was written
   * between the two statements is seen and not locked: when another transaction changed it
   * meanwhile, its counter has moved, and the batch fails with {@code TN001}.
   *
   * <p>How much waits is a number in the row: nothing here looks at signals that were accepted
   * before, and their rows may stay for as long as a snapshot is open that could see them.
   */
  static final String ACCEPT =
      """
      WITH asked AS (
        SELECT a.*, clock.now FROM (SELECT clock_timestamp() AS now) clock,
          unnest(?::text[], ?::text[], ?::text[], ?::bytea[], ?::text[]) WITH ORDINALITY
            AS a (workflow_id, name, id, payload, trace, place)
      ), target AS MATERIALIZED (
        SELECT t.id, w.part, w.row, w.shard, w.signals, w.pending, w.closed
        FROM unnest(?::text[]) AS t (id) CROSS JOIN LATERAL (
          SELECT v.tableoid AS part, v.ctid AS row, v.shard, v.signals, v.pending, v.status IN (
              'completed', 'failed', 'cancelled', 'terminated', 'timed-out') AS closed
          FROM workflow v WHERE v.id = t.id LIMIT 1) w
      ), judged AS MATERIALIZED (
        SELECT a.place, a.workflow_id, a.name, a.id, a.payload, a.trace, a.now, r.position, r.accepted_at,
          r.expires_at, r.payload_hash, t.part, t.row, t.shard, t.signals, t.pending,
          CASE
            WHEN r.expires_at > a.now THEN 'DUPLICATE'
            WHEN r.position IS NULL AND (
              SELECT true FROM signal_inbox i
              WHERE i.workflow_id = a.workflow_id AND i.signal_id = a.id
                AND i.signal_name = a.name AND i.unconsumed_at IS NULL LIMIT 1)
              THEN 'INDETERMINATE'
            WHEN t.id IS NULL THEN 'UNKNOWN'
            WHEN t.closed THEN 'CLOSED'
            ELSE 'ACCEPTED' END AS verdict
        FROM asked a LEFT JOIN target t ON t.id = a.workflow_id
        LEFT JOIN LATERAL (
          SELECT s.position, s.accepted_at, s.expires_at, s.payload_hash FROM signal_response s
          WHERE s.workflow_id = a.workflow_id AND s.signal_name = a.name AND s.signal_id = a.id
          LIMIT 1) r ON true
      ), ranked AS MATERIALIZED (
        SELECT j.*, row_number() OVER (PARTITION BY j.workflow_id ORDER BY j.place) AS rank
        FROM judged j WHERE j.verdict = 'ACCEPTED'
      ), fresh AS MATERIALIZED (
        SELECT f.place, f.workflow_id, f.name, f.id, f.payload, f.trace, f.now, f.part, f.row, f.shard,
          f.signals, f.expires_at IS NULL AS first, f.signals + f.rank AS position
        FROM ranked f WHERE f.pending + f.rank <= ?
      ), answered AS (
        INSERT INTO signal_response
          (workflow_id, signal_name, signal_id, shard, position, accepted_at, expires_at,
          payload_hash)
        SELECT f.workflow_id, f.name, f.id, f.shard, f.position, f.now,
          f.now + ? * interval '1 millisecond', sha256(f.payload) FROM fresh f WHERE f.first
      ), answered_again AS (
        INSERT INTO signal_response
          (workflow_id, signal_name, signal_id, shard, position, accepted_at, expires_at,
          payload_hash)
        SELECT f.workflow_id, f.name, f.id, f.shard, f.position, f.now,
          f.now + ? * interval '1 millisecond', sha256(f.payload) FROM fresh f WHERE NOT f.first
        ON CONFLICT (workflow_id, signal_name, signal_id) DO UPDATE SET
          position = excluded.position, accepted_at = excluded.accepted_at,
          expires_at = excluded.expires_at, payload_hash = excluded.payload_hash
      ), queued AS (
        INSERT INTO signal_inbox
          (workflow_id, position, shard, signal_name, signal_id, accepted_at, payload, trace)
        SELECT f.workflow_id, f.position, f.shard, f.name, f.id, f.now, f.payload, f.trace
        FROM fresh f
      ), woken AS (
        UPDATE workflow w SET signals = n.newest, wake_at = least(w.wake_at, n.now),
          pending = w.pending + n.added
        FROM (SELECT f.part, f.row, f.signals, max(f.position) AS newest, max(f.now) AS now,
            count(*)::int4 AS added
          FROM fresh f GROUP BY f.part, f.row, f.signals) n
        WHERE w.ctid = n.row AND w.tableoid = n.part AND w.signals = n.signals
        RETURNING 1
      ), guard AS MATERIALIZED (
        SELECT require_all_stored((SELECT count(*) FROM woken),
          (SELECT count(DISTINCT f.workflow_id) FROM fresh f))::text AS passed
      )
      SELECT j.place,
        CASE WHEN j.verdict = 'ACCEPTED' AND f.place IS NULL THEN 'FULL' ELSE j.verdict END,
        coalesce(f.position, j.position), coalesce(f.now, j.accepted_at),
        encode(j.payload_hash, 'hex'), g.passed
      FROM guard g CROSS JOIN judged j LEFT JOIN fresh f ON f.place = j.place
      """;

  /**
   * Signals for workflows that are not open are judged a second time: the statement that accepts
   * looks at open workflows only, so that it costs the same however many are closed.
   */
  List<SignalResult> accept(List<Signal> signals, Duration retention) {
    List<SignalResult> results = new ArrayList<>(store(signals, retention));
    for (int tries = 1; ; tries++) {
      List<Integer> open = openAfterAll(signals, results);
      if (open.isEmpty()) return results;
      if (tries == TRIES_MAX)
        throw new StorageException.Unavailable(
            "workflows were closed and started again while signals for them were accepted", null);
      List<SignalResult> again = store(open.stream().map(signals::get).toList(), retention);
      for (int i = 0; i < again.size(); i++) results.set(open.get(i), again.get(i));
    }
  }

  private List<SignalResult> store(List<Signal> signals, Duration retention) {
    for (int tries = 1; ; tries++) {
      // Committed by the statements' end: an error may come after it.
      try (Connection c = pool.getConnection()) {
        try (PreparedStatement accept = c.prepareStatement(LOCK_AND_ACCEPT)) {
          bind(c, accept, signals, retention);
          accept.execute();
          if (!accept.getMoreResults()) throw new IllegalStateException("a batch without verdicts");
          try (ResultSet rows = accept.getResultSet()) {
            return results(rows, signals);
          }
        } catch (SQLException e) {
          if (tries == TRIES_MAX || !CHANGED_MEANWHILE.contains(String.valueOf(e.getSQLState())))
            throw SqlFailures.atCommit("accepting " + signals.size() + " signals", e);
        }
      } catch (SQLException e) {
        throw SqlFailures.beforeCommit("a connection for signals", e);
      }
    }
  }

  /** One statement sees a workflow in one of the two tables. */
  static final String WHERE_IT_IS =
      """
      SELECT a.place, (SELECT true FROM workflow w WHERE w.id = a.id LIMIT 1) AS open,
        coalesce((SELECT true FROM workflow_closed w WHERE w.id = a.id LIMIT 1),
          (SELECT true FROM workflow_removed r
            WHERE r.id = a.id AND r.free_at > clock_timestamp() LIMIT 1)) AS closed
      FROM unnest(?::text[]) WITH ORDINALITY AS a (id, place)
      """;

  /**
   * Finds out which of the unknown workflows are closed. Returns the places of signals for
   * workflows that are open by now: another start has begun them since.
   */
  private List<Integer> openAfterAll(List<Signal> signals, List<SignalResult> results) {
    List<Integer> unknown = new ArrayList<>(0);
    for (int i = 0; i < results.size(); i++)
      if (results.get(i) instanceof SignalResult.UnknownWorkflow) unknown.add(i);
    List<Integer> open = new ArrayList<>(0);
    if (unknown.isEmpty()) return open;
    List<Signal> asked = unknown.stream().map(signals::get).toList();
    try (Connection c = pool.getConnection();
        PreparedStatement query = c.prepareStatement(WHERE_IT_IS)) {
      query.setArray(
          1, c.createArrayOf("text", column(asked, signal -> signal.workflowId().value())));
      try (ResultSet rows = query.executeQuery()) {
        while (rows.next()) {
          int place = unknown.get(rows.getInt(1) - 1);
          if (rows.getBoolean(2)) open.add(place);
          else if (rows.getBoolean(3))
            results.set(place, new SignalResult.Closed(signals.get(place).workflowId()));
        }
      }
      return open;
    } catch (SQLException e) {
      throw SqlFailures.beforeCommit("looking for the workflows of signals", e);
    }
  }

  private static final String LOCK_AND_ACCEPT = LOCK + ";\n" + ACCEPT;

  private static void bind(
      Connection c, PreparedStatement accept, List<Signal> signals, Duration retention)
      throws SQLException {
    String[] ids = column(signals, signal -> signal.workflowId().value());
    Array targets = c.createArrayOf("text", Arrays.stream(ids).distinct().toArray(String[]::new));
    byte[][] payloads = new byte[signals.size()][];
    for (int i = 0; i < payloads.length; i++) payloads[i] = signals.get(i).payload().bytes();
    accept.setArray(1, targets);
    accept.setArray(2, c.createArrayOf("text", ids));
    accept.setArray(3, c.createArrayOf("text", column(signals, Signal::name)));
    accept.setArray(4, c.createArrayOf("text", column(signals, Signal::id)));
    accept.setArray(5, c.createArrayOf("bytea", payloads));
    accept.setArray(6, c.createArrayOf("text", traces(signals)));
    accept.setArray(7, targets);
    accept.setLong(8, Signals.MAX_PENDING);
    accept.setLong(9, retention.toMillis());
    accept.setLong(10, retention.toMillis());
  }

  private static String[] traces(List<Signal> signals) {
    return signals.stream()
        .map(signal -> PostgresSignals.traceparent(signal.content()))
        .toArray(String[]::new);
  }

  private static String[] column(List<Signal> signals, Function<Signal, String> field) {
    return signals.stream().map(field).map(KeyText::column).toArray(String[]::new);
  }

  private static List<SignalResult> results(ResultSet rows, List<Signal> signals)
      throws SQLException {
    SignalResult[] results = new SignalResult[signals.size()];
    int found = 0;
    while (rows.next()) {
      int i = rows.getInt(1) - 1;
      results[i] = result(signals.get(i), rows);
      found++;
    }
    if (found != results.length) {
      throw new IllegalStateException(found + " verdicts on " + results.length + " signals");
    }
    return List.of(results);
  }

  private static SignalResult result(Signal signal, ResultSet row) throws SQLException {
    String verdict = row.getString(2);
    return switch (verdict) {
      case "ACCEPTED" -> new SignalResult.Accepted(answer(signal, row));
      case "DUPLICATE" ->
          new SignalResult.Duplicate(
              answer(signal, row), Optional.ofNullable(row.getString(5)).map(ContentHash::new));
      case "UNKNOWN" -> new SignalResult.UnknownWorkflow(signal.workflowId());
      case "CLOSED" -> new SignalResult.Closed(signal.workflowId());
      case "FULL" -> new SignalResult.InboxFull(signal.workflowId(), Signals.MAX_PENDING);
      case "INDETERMINATE" ->
          new SignalResult.Indeterminate(signal.workflowId(), signal.name(), signal.id());
      default -> throw new IllegalStateException("the verdict on a signal is " + verdict);
    };
  }

  private static AcceptedSignalResult answer(Signal signal, ResultSet row) throws SQLException {
    return AcceptedSignalResult.of(signal, StoredInstant.of(row, 4), row.getLong(3));
  }
}
