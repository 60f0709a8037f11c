package dev.tenure.persistence.postgres;

import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.key.KeyText;
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
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** Signals as rows of {@code signal_inbox} and {@code signal_response}. */
final class PostgresSignals implements Signals {
  private final DataSource pool;
  private final StorageCapabilities capabilities;
  private final SignalAcceptance acceptance;

  PostgresSignals(DataSource pool, StorageCapabilities capabilities) {
    this.pool = pool;
    this.capabilities = capabilities;
    this.acceptance = new SignalAcceptance(pool);
  }

  @Override
  public List<SignalResult> accept(List<Signal> signals, Duration retention) {
    Signals.requireValid(signals, retention);
    SignalCapabilityError.require(
        PostgresStorage.class, capabilities.conditionalBatch(), capabilities.reasons(), signals);
    if (signals.isEmpty()) return List.of();
    SignalDeduplication once = new SignalDeduplication(signals);
    return once.spread(acceptance.accept(once.signals(), retention));
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

  static String traceparent(SignalContent content) {
    return content.trace().map(Trace::traceparent).orElse(null);
  }

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
      WITH gone AS MATERIALIZED (
        SELECT e.tableoid AS part, e.ctid AS row FROM signal_response e
        WHERE e.expires_at <= now() AND (
          SELECT true FROM signal_inbox i
          WHERE i.workflow_id = e.workflow_id AND i.signal_id = e.signal_id
            AND i.signal_name = e.signal_name AND i.unconsumed_at IS NULL LIMIT 1) IS NULL
        ORDER BY e.expires_at LIMIT ? FOR UPDATE SKIP LOCKED
      )
      DELETE FROM signal_response d USING gone g WHERE d.ctid = g.row AND d.tableoid = g.part
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
