package dev.tenure.persistence.incident;

import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.key.KeyText;
import dev.tenure.persistence.storage.SqlFailures;
import dev.tenure.persistence.storage.Transactions;
import dev.tenure.persistence.visibility.Cursor;
import dev.tenure.persistence.visibility.Page;
import dev.tenure.persistence.visibility.PageRequest;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** Reads the table {@code incident}. There are as many rows as there are people to look at them. */
public final class PostgresIncidents implements Incidents {
  private static final Duration LOCK_LIMIT = Duration.ofSeconds(2);
  private static final Duration STATEMENT_LIMIT = Duration.ofSeconds(10);

  private final DataSource pool;
  private final Transactions transactions;

  public PostgresIncidents(DataSource pool) {
    this.pool = pool;
    this.transactions = new Transactions(pool, LOCK_LIMIT, STATEMENT_LIMIT);
  }

  static final String FIND =
      """
      SELECT i.workflow_id, i.run_id, i.type, i.type_version, i.shard, i.version, i.since, i.kind,
        i.fingerprint, i.operation, i.evidence, i.number
      FROM incident i WHERE i.workflow_id = ?
      """;

  @Override
  public Optional<IncidentRow> find(WorkflowId id) {
    try (Connection c = pool.getConnection();
        PreparedStatement query = c.prepareStatement(FIND)) {
      query.setString(1, KeyText.column(id.value()));
      try (ResultSet rows = query.executeQuery()) {
        return rows.next() ? Optional.of(row(rows)) : Optional.empty();
      }
    } catch (SQLException e) {
      throw SqlFailures.beforeCommit("reading an incident", e);
    }
  }

  /** In the order of time, passing over what does not match. */
  static final String LIST =
      """
      SELECT i.workflow_id, i.run_id, i.type, i.type_version, i.shard, i.version, i.since, i.kind,
        i.fingerprint, i.operation, i.evidence, i.number
      FROM incident i
      WHERE (i.since, i.number) < (?::timestamptz, ?)
        AND i.kind = coalesce(?, i.kind) AND i.type = coalesce(?, i.type)
      ORDER BY i.since DESC, i.number DESC LIMIT ?
      """;

  /** Those of one cause stand together in an index of their own. */
  static final String LIST_OF_GROUP =
      """
      SELECT i.workflow_id, i.run_id, i.type, i.type_version, i.shard, i.version, i.since, i.kind,
        i.fingerprint, i.operation, i.evidence, i.number
      FROM incident i
      WHERE i.fingerprint = ? AND (i.since, i.number) < (?::timestamptz, ?)
        AND i.kind = coalesce(?, i.kind) AND i.type = coalesce(?, i.type)
      ORDER BY i.since DESC, i.number DESC LIMIT ?
      """;

  @Override
  public Page<IncidentRow> list(IncidentFilter filter, PageRequest page) {
    Cursor before = Cursor.of(page);
    String sql = filter.fingerprint().isPresent() ? LIST_OF_GROUP : LIST;
    List<IncidentRow> found = new ArrayList<>();
    List<Long> numbers = new ArrayList<>();
    try (Connection c = pool.getConnection();
        PreparedStatement query = c.prepareStatement(sql)) {
      int next = 1;
      if (filter.fingerprint().isPresent()) query.setString(next++, filter.fingerprint().get());
      query.setObject(next++, utc(before.startedAt()));
      query.setLong(next++, before.number());
      query.setString(next++, filter.kind().orElse(null));
      query.setString(next++, filter.type().map(KeyText::column).orElse(null));
      // One more than asked for tells whether a page follows.
      query.setInt(next, page.rows() + 1);
      try (ResultSet rows = query.executeQuery()) {
        while (rows.next()) {
          found.add(row(rows));
          numbers.add(rows.getLong(12));
        }
      }
    } catch (SQLException e) {
      throw SqlFailures.beforeCommit("listing incidents", e);
    }
    if (found.size() <= page.rows()) return new Page<>(found, Optional.empty());
    int last = page.rows() - 1;
    return new Page<>(
        found.subList(0, page.rows()),
        Optional.of(new Cursor(found.get(last).since(), numbers.get(last)).written()));
  }

  /** Jumps from one fingerprint to the next, and counts each by its part of the index. */
  static final String GROUPS =
      """
      WITH RECURSIVE cause (fingerprint) AS (
        (SELECT i.fingerprint FROM incident i WHERE i.fingerprint > ?
         ORDER BY i.fingerprint LIMIT 1)
        UNION ALL
        SELECT n.fingerprint FROM cause c CROSS JOIN LATERAL (
          SELECT i.fingerprint FROM incident i WHERE i.fingerprint > c.fingerprint
          ORDER BY i.fingerprint LIMIT 1) n
      )
      SELECT c.fingerprint, e.kind, e.type, s.count, s.oldest, s.newest, e.evidence
      FROM cause c
      CROSS JOIN LATERAL (
        SELECT count(*) AS count, min(i.since) AS oldest, max(i.since) AS newest
        FROM incident i WHERE i.fingerprint = c.fingerprint) s
      CROSS JOIN LATERAL (
        SELECT i.kind, i.type, i.evidence FROM incident i WHERE i.fingerprint = c.fingerprint
        ORDER BY i.since DESC, i.number DESC LIMIT 1) e
      WHERE c.fingerprint = coalesce(?, c.fingerprint)
        AND e.kind = coalesce(?, e.kind) AND e.type = coalesce(?, e.type)
      LIMIT ?
      """;

  @Override
  public Page<IncidentGroup> groups(IncidentFilter filter, PageRequest page) {
    List<IncidentGroup> found = new ArrayList<>();
    try (Connection c = pool.getConnection();
        PreparedStatement query = c.prepareStatement(GROUPS)) {
      query.setString(1, page.cursor().orElse(""));
      query.setString(2, filter.fingerprint().orElse(null));
      query.setString(3, filter.kind().orElse(null));
      query.setString(4, filter.type().map(KeyText::column).orElse(null));
      query.setInt(5, page.rows() + 1);
      try (ResultSet rows = query.executeQuery()) {
        while (rows.next())
          found.add(
              new IncidentGroup(
                  rows.getString(1),
                  rows.getString(2),
                  KeyText.ofColumn(rows.getString(3)),
                  rows.getLong(4),
                  instant(rows, 5),
                  instant(rows, 6),
                  rows.getString(7)));
      }
    } catch (SQLException e) {
      throw SqlFailures.beforeCommit("grouping incidents", e);
    }
    return IncidentGroups.page(found, page);
  }

  /**
   * The lease is locked as a commit locks it: a takeover waits for this, or this sees it (I16). The
   * row of the workflow is changed as a commit would, which is what keeps scans from waking it.
   */
  static final String STAND_STILL =
      """
      WITH held AS (
        SELECT 1 FROM shard_lease WHERE shard = ? AND epoch = ? FOR KEY SHARE
      )
      UPDATE workflow SET status = 'incident', wake_at = NULL
      WHERE id = ? AND closed_at IS NULL AND EXISTS (SELECT 1 FROM held)
      """;

  @Override
  public boolean raiseWithoutHistory(IncidentRow row, Fence fence) {
    return transactions.run(
        "raising an incident of " + row.workflow(),
        c -> {
          try (PreparedStatement update = c.prepareStatement(STAND_STILL)) {
            update.setInt(1, fence.shard());
            update.setLong(2, fence.epoch());
            update.setString(3, KeyText.column(row.workflow().value()));
            if (update.executeUpdate() == 0) return false;
          }
          try (PreparedStatement insert = c.prepareStatement(IncidentWrites.RAISE.sql())) {
            List<Object> values = IncidentWrites.raise(row).values();
            for (int i = 0; i < values.size(); i++)
              insert.setArray(
                  i + 1,
                  c.createArrayOf(
                      IncidentWrites.RAISE.columnTypes().get(i), new Object[] {values.get(i)}));
            insert.executeUpdate();
          }
          return true;
        });
  }

  private static IncidentRow row(ResultSet rows) throws SQLException {
    return new IncidentRow(
        new WorkflowId(KeyText.ofColumn(rows.getString(1))),
        KeyText.ofColumn(rows.getString(2)),
        new WorkflowType(KeyText.ofColumn(rows.getString(3)), rows.getInt(4)),
        rows.getInt(5),
        rows.getLong(6),
        instant(rows, 7),
        rows.getString(8),
        rows.getString(9),
        Optional.ofNullable(rows.getString(10)).map(KeyText::ofColumn),
        rows.getString(11));
  }

  private static Instant instant(ResultSet rows, int column) throws SQLException {
    return rows.getObject(column, OffsetDateTime.class).toInstant();
  }

  private static OffsetDateTime utc(Instant time) {
    return time.atOffset(ZoneOffset.UTC);
  }
}
