package dev.tenure.persistence.postgres;

import dev.tenure.persistence.entry.ChainLink;
import dev.tenure.persistence.key.KeyText;
import dev.tenure.persistence.proof.Heads;
import dev.tenure.persistence.proof.RecordedHead;
import dev.tenure.workflow.WorkflowId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;

/** Reads from the rows of workflows where their histories end. */
final class PostgresHeads implements Heads {
  private final DataSource pool;

  PostgresHeads(DataSource pool) {
    this.pool = pool;
  }

  /** A workflow of the id may have been removed before the one that there is now. */
  static final String FIND =
      """
      SELECT h.* FROM (
        SELECT w.id, 'OPEN' AS state, w.head_version, w.head_link
        FROM workflow w WHERE w.id = ?
        UNION ALL
        SELECT c.id, 'CLOSED', c.head_version, c.head_link FROM workflow_closed c WHERE c.id = ?
        UNION ALL
        SELECT r.id, 'REMOVED', NULL, NULL FROM workflow_removed r WHERE r.id = ?) h
      ORDER BY h.state = 'REMOVED' LIMIT 1
      """;

  /** The same of a range of ids, in their order. */
  static final String RANGE =
      """
      SELECT h.* FROM (
        SELECT w.id, 'OPEN' AS state, w.head_version, w.head_link FROM workflow w
        UNION ALL
        SELECT c.id, 'CLOSED', c.head_version, c.head_link FROM workflow_closed c
        UNION ALL
        SELECT r.id, 'REMOVED', NULL, NULL FROM workflow_removed r
        WHERE NOT EXISTS (SELECT FROM workflow w WHERE w.id = r.id)
          AND NOT EXISTS (SELECT FROM workflow_closed c WHERE c.id = r.id)) h
      WHERE h.id > ? AND h.id <= ? ORDER BY h.id
      """;

  @Override
  public Optional<RecordedHead> find(WorkflowId id) {
    try (Connection c = pool.getConnection();
        PreparedStatement query = c.prepareStatement(FIND)) {
      for (int place = 1; place <= 3; place++) query.setString(place, KeyText.column(id.value()));
      try (ResultSet rows = query.executeQuery()) {
        return rows.next() ? Optional.of(head(rows)) : Optional.empty();
      }
    } catch (SQLException e) {
      throw SqlFailures.beforeCommit("reading the head of " + id, e);
    }
  }

  /** The row that {@link #FIND} or {@link #RANGE} gave. */
  static RecordedHead head(ResultSet row) throws SQLException {
    return new RecordedHead(
        new WorkflowId(KeyText.ofColumn(row.getString("id"))),
        RecordedHead.State.valueOf(row.getString("state")),
        recorded(row));
  }

  private static Optional<RecordedHead.Head> recorded(ResultSet row) throws SQLException {
    byte[] link = row.getBytes("head_link");
    if (link == null) return Optional.empty();
    // What cannot be a link is none that a commit has.
    ChainLink known = link.length == ChainLink.BYTES ? ChainLink.of(link) : ChainLink.NONE;
    return Optional.of(new RecordedHead.Head(row.getLong("head_version"), known));
  }
}
