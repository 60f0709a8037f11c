package dev.tenure.persistence.postgres;

import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.key.KeyText;
import dev.tenure.persistence.signal.AcceptedSignalResult;
import dev.tenure.persistence.signal.ContentHash;
import dev.tenure.persistence.signal.InboxRead;
import dev.tenure.persistence.signal.PendingSignal;
import dev.tenure.persistence.signal.Signal;
import dev.tenure.persistence.signal.SignalCapabilityError;
import dev.tenure.persistence.signal.SignalResult;
import dev.tenure.persistence.signal.Signals;
import dev.tenure.persistence.storage.StorageCapabilities;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.Trace;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.SignalContent;
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
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * Signals as rows of {@code signal_inbox} and {@code signal_response}: all statements that know
 * what a signal brings.
 */
final class PostgresSignals implements Signals {
  private final DataSource pool;
  private final StorageCapabilities capabilities;

  PostgresSignals(DataSource pool, StorageCapabilities capabilities) {
    this.pool = pool;
    this.capabilities = capabilities;
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
   * found again by its place, which cannot change while it is locked.
   */
  static final String ACCEPT =
      """
      WITH asked AS (
        SELECT a.*, clock.now FROM (SELECT clock_timestamp() AS now) clock,
          unnest(?::text[], ?::text[], ?::text[], ?::bytea[], ?::text[]) WITH ORDINALITY
            AS a (workflow_id, name, id, payload, trace, place)
      ), target AS MATERIALIZED (
        SELECT t.id, w.row, w.shard, w.signals, w.closed,
          CASE WHEN w.signals - w.oldest < ? THEN w.signals - w.oldest + 1 ELSE (
            SELECT count(*) FROM signal_inbox i
            WHERE i.workflow_id = t.id AND i.unconsumed_at IS NULL) END AS pending
        FROM unnest(?::text[]) AS t (id) CROSS JOIN LATERAL (
          SELECT v.ctid AS row, v.shard, v.signals, v.status IN (
              'completed', 'failed', 'cancelled', 'terminated', 'timed-out') AS closed,
            coalesce((
              SELECT i.position FROM signal_inbox i WHERE i.workflow_id = v.id
              ORDER BY i.position LIMIT 1), v.signals + 1) AS oldest
          FROM workflow v WHERE v.id = t.id LIMIT 1) w
      ), judged AS MATERIALIZED (
        SELECT a.place, a.workflow_id, a.name, a.id, a.payload, a.trace, a.now, r.position, r.accepted_at,
          r.expires_at, r.payload_hash, t.row, t.shard, t.signals, t.pending,
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
        SELECT f.place, f.workflow_id, f.name, f.id, f.payload, f.trace, f.now, f.row, f.shard,
          f.expires_at IS NULL AS first, f.signals + f.rank AS position
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
        UPDATE workflow w SET signals = n.newest, wake_at = least(w.wake_at, n.now)
        FROM (SELECT f.row, max(f.position) AS newest, max(f.now) AS now
          FROM fresh f GROUP BY f.row) n
        WHERE w.ctid = n.row
      )
      SELECT j.place,
        CASE WHEN j.verdict = 'ACCEPTED' AND f.place IS NULL THEN 'FULL' ELSE j.verdict END,
        coalesce(f.position, j.position), coalesce(f.now, j.accepted_at),
        encode(j.payload_hash, 'hex')
      FROM judged j LEFT JOIN fresh f ON f.place = j.place
      """;

  @Override
  public List<SignalResult> accept(List<Signal> signals, Duration retention) {
    Signals.requireValid(signals, retention);
    SignalCapabilityError.require(
        PostgresStorage.class, capabilities.conditionalBatch(), capabilities.findings(), signals);
    if (signals.isEmpty()) return List.of();
    SignalDeduplication once = new SignalDeduplication(signals);
    return once.spread(store(once.signals(), retention));
  }

  private List<SignalResult> store(List<Signal> signals, Duration retention) {
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
        throw SqlFailures.atCommit("accepting " + signals.size() + " signals", e);
      }
    } catch (SQLException e) {
      throw SqlFailures.beforeCommit("a connection for signals", e);
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
    // Below this distance from the oldest, nothing in this batch can cross the limit.
    accept.setLong(7, MAX_PENDING - signals.size());
    accept.setArray(8, targets);
    accept.setLong(9, MAX_PENDING);
    accept.setLong(10, retention.toMillis());
    accept.setLong(11, retention.toMillis());
  }

  private static String[] traces(List<Signal> signals) {
    return signals.stream().map(signal -> traceparent(signal.content())).toArray(String[]::new);
  }

  private static String traceparent(SignalContent content) {
    return content.trace().map(Trace::traceparent).orElse(null);
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
      case "FULL" -> new SignalResult.InboxFull(signal.workflowId(), MAX_PENDING);
      case "INDETERMINATE" ->
          new SignalResult.Indeterminate(signal.workflowId(), signal.name(), signal.id());
      default -> throw new IllegalStateException("the verdict on a signal is " + verdict);
    };
  }

  private static AcceptedSignalResult answer(Signal signal, ResultSet row) throws SQLException {
    return AcceptedSignalResult.of(signal, StoredInstant.of(row, 4), row.getLong(3));
  }

  static final String PENDING =
      """
      SELECT w.place, i.position, i.signal_name, i.signal_id, i.accepted_at, i.payload, i.trace
      FROM unnest(?::text[], ?::int8[], ?::int4[]) WITH ORDINALITY
        AS w (workflow_id, after, row_limit, place)
      CROSS JOIN LATERAL (
        SELECT * FROM signal_inbox s
        WHERE s.workflow_id = w.workflow_id AND s.position > w.after AND s.unconsumed_at IS NULL
        ORDER BY s.position LIMIT w.row_limit) i
      ORDER BY w.place, i.position
      """;

  static final String UNCONSUMED =
      """
      SELECT w.place, i.position, i.signal_name, i.signal_id, i.accepted_at, i.payload, i.trace
      FROM unnest(?::text[], ?::int8[], ?::int4[]) WITH ORDINALITY
        AS w (workflow_id, after, row_limit, place)
      CROSS JOIN LATERAL (
        SELECT * FROM signal_inbox s
        WHERE s.workflow_id = w.workflow_id AND s.position > w.after AND s.unconsumed_at IS NOT NULL
        ORDER BY s.position LIMIT w.row_limit) i
      ORDER BY w.place, i.position
      """;

  @Override
  public List<List<PendingSignal>> pending(List<InboxRead> reads) {
    return read(PENDING, reads);
  }

  @Override
  public List<List<PendingSignal>> unconsumed(List<InboxRead> reads) {
    return read(UNCONSUMED, reads);
  }

  private List<List<PendingSignal>> read(String sql, List<InboxRead> reads) {
    List<List<PendingSignal>> found = new ArrayList<>(reads.size());
    for (int i = 0; i < reads.size(); i++) found.add(new ArrayList<>());
    if (reads.isEmpty()) return found;
    try (Connection c = pool.getConnection();
        PreparedStatement query = c.prepareStatement(sql)) {
      query.setArray(
          1,
          c.createArrayOf(
              "text", reads.stream().map(r -> KeyText.column(r.workflowId().value())).toArray()));
      query.setObject(2, reads.stream().mapToLong(InboxRead::after).toArray());
      query.setObject(3, reads.stream().mapToInt(InboxRead::maxSignals).toArray());
      try (ResultSet rows = query.executeQuery()) {
        while (rows.next()) found.get(rows.getInt(1) - 1).add(pendingSignal(rows));
      }
      return found;
    } catch (SQLException e) {
      throw SqlFailures.beforeCommit("reading inboxes", e);
    }
  }

  private static PendingSignal pendingSignal(ResultSet row) throws SQLException {
    return new PendingSignal(
        row.getLong(2),
        KeyText.ofColumn(row.getString(3)),
        KeyText.ofColumn(row.getString(4)),
        StoredInstant.of(row, 5),
        new SignalContent(
            Payload.of(row.getBytes(6)), Optional.ofNullable(row.getString(7)).flatMap(Trace::of)));
  }

  /**
   * A signal goes back to its position, as a new row with the same content. The time at which it
   * was accepted is read from its answer, while that is kept.
   */
  static final SideStatement RETURN =
      new SideStatement(
          "signal-return",
          SideStatement.WriteOrder.START,
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
   * The same for a signal whose payload is kept apart: the database copies the payload, so that no
   * owner has to read it. When the payload is gone the signal cannot be given back; the workflow
   * ends all the same.
   */
  static final SideStatement RETURN_KEPT =
      new SideStatement(
          "signal-return-kept",
          SideStatement.WriteOrder.START,
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

  static SideValues giveBack(SideRow.SignalReturned returned) {
    Command.Arrival signal = returned.signal();
    return SideValues.of(
        returned.isKept() ? RETURN_KEPT : RETURN,
        KeyText.column(returned.workflow().value()),
        signal.position(),
        returned.shard(),
        KeyText.column(signal.signal()),
        KeyText.column(signal.signalId()),
        returned.isKept() ? returned.hash() : signal.payload().bytes(),
        traceparent(signal.content()));
  }

  /**
   * SKIP LOCKED: a transaction that accepts a signal anew after its answer expired need not wait.
   */
  static final String PURGE =
      """
      DELETE FROM signal_response WHERE ctid = ANY (ARRAY(
        SELECT e.ctid FROM signal_response e
        WHERE e.expires_at <= now() AND (
          SELECT true FROM signal_inbox i
          WHERE i.workflow_id = e.workflow_id AND i.signal_id = e.signal_id
            AND i.signal_name = e.signal_name AND i.unconsumed_at IS NULL LIMIT 1) IS NULL
        ORDER BY e.expires_at LIMIT ? FOR UPDATE SKIP LOCKED))
      """;

  @Override
  public int purgeAnswers(int limit) {
    try (Connection c = pool.getConnection();
        PreparedStatement purge = c.prepareStatement(PURGE)) {
      purge.setInt(1, limit);
      return purge.executeUpdate();
    } catch (SQLException e) {
      throw SqlFailures.atCommit("removing expired answers", e);
    }
  }
}
