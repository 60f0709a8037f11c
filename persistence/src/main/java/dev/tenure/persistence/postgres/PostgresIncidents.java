package dev.tenure.persistence.postgres;

import dev.tenure.persistence.incident.IncidentFilter;
import dev.tenure.persistence.incident.IncidentGroup;
import dev.tenure.persistence.incident.IncidentRow;
import dev.tenure.persistence.incident.Incidents;
import dev.tenure.persistence.key.KeyText;
import dev.tenure.persistence.visibility.Cursor;
import dev.tenure.persistence.visibility.Page;
import dev.tenure.persistence.visibility.PageRequest;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** Reads the table {@code incident}. The table stays small: people resolve what is in it. */
final class PostgresIncidents implements Incidents {
  private record Listed(IncidentRow row, long number) {}

  private final DataSource pool;

  PostgresIncidents(DataSource pool) {
    this.pool = pool;
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
    List<Listed> found = new ArrayList<>();
    try (Connection c = pool.getConnection();
        PreparedStatement query = c.prepareStatement(sql)) {
      int next = 1;
      if (filter.fingerprint().isPresent()) query.setString(next++, filter.fingerprint().get());
      query.setObject(next++, StoredInstant.parameter(before.startedAt()));
      query.setLong(next++, before.number());
      query.setString(next++, filter.kind().orElse(null));
      query.setString(next++, filter.type().map(KeyText::column).orElse(null));
      // One more than asked for tells whether a page follows.
      query.setInt(next, page.rows() + 1);
      try (ResultSet rows = query.executeQuery()) {
        while (rows.next()) found.add(new Listed(row(rows), rows.getLong(12)));
      }
    } catch (SQLException e) {
      throw SqlFailures.beforeCommit("listing incidents", e);
    }
    return Page.of(
        found, page, Listed::row, last -> new Cursor(last.row.since(), last.number).written());
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
                  StoredInstant.of(rows, 5),
                  StoredInstant.of(rows, 6),
                  rows.getString(7)));
      }
    } catch (SQLException e) {
      throw SqlFailures.beforeCommit("grouping incidents", e);
    }
    return Page.of(found, page, group -> group, IncidentGroup::fingerprint);
  }

  private static IncidentRow row(ResultSet rows) throws SQLException {
    return new IncidentRow(
        new WorkflowId(KeyText.ofColumn(rows.getString(1))),
        KeyText.ofColumn(rows.getString(2)),
        new WorkflowType(KeyText.ofColumn(rows.getString(3)), rows.getInt(4)),
        rows.getInt(5),
        rows.getLong(6),
        StoredInstant.of(rows, 7),
        rows.getString(8),
        rows.getString(9),
        Optional.ofNullable(rows.getString(10)).map(KeyText::ofColumn),
        rows.getString(11));
  }
}
