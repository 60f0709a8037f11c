package dev.tenure.persistence.postgres;

import dev.tenure.persistence.key.KeyText;
import dev.tenure.persistence.snapshot.Snapshots;
import dev.tenure.persistence.snapshot.StoredSnapshot;
import dev.tenure.workflow.WorkflowId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;

/** Snapshots as rows of {@code snapshot}. */
final class PostgresSnapshots implements Snapshots {
  /** Recovery goes on without a snapshot, so it does not wait long for one. */
  private static final Duration FIND_LIMIT = Duration.ofSeconds(4);

  private final DataSource pool;
  private final Transactions finds;

  PostgresSnapshots(DataSource pool) {
    this.pool = pool;
    this.finds = new Transactions(pool, FIND_LIMIT, FIND_LIMIT);
  }

  /** Two owners may write at the same time: the row is locked, and the newer one stays. */
  static final String KEEP =
      """
      INSERT INTO snapshot AS s (workflow_id, version, content) VALUES (?, ?, ?)
      ON CONFLICT (workflow_id) DO UPDATE SET version = excluded.version, content = excluded.content
      WHERE s.version < excluded.version
      """;

  @Override
  public boolean keep(StoredSnapshot snapshot) {
    try (Connection c = pool.getConnection();
        PreparedStatement keep = c.prepareStatement(KEEP)) {
      keep.setString(1, KeyText.column(snapshot.id().value()));
      keep.setLong(2, snapshot.version());
      keep.setBytes(3, snapshot.content());
      return keep.executeUpdate() == 1;
    } catch (SQLException e) {
      throw SqlFailures.atCommit("keeping a snapshot of " + snapshot.id(), e);
    }
  }

  static final String FIND =
      """
      SELECT s.version, s.content FROM snapshot s WHERE s.workflow_id = ?
      """;

  @Override
  public Optional<StoredSnapshot> find(WorkflowId id) {
    return finds.run("reading the snapshot of " + id, connection -> find(connection, id));
  }

  private static Optional<StoredSnapshot> find(Connection connection, WorkflowId id)
      throws SQLException {
    try (PreparedStatement find = connection.prepareStatement(FIND)) {
      find.setString(1, KeyText.column(id.value()));
      try (ResultSet row = find.executeQuery()) {
        if (!row.next()) return Optional.empty();
        return Optional.of(new StoredSnapshot(id, row.getLong(1), row.getBytes(2)));
      }
    }
  }

  /**
   * It looks at a limited number of snapshots behind a place, however few it removes, as {@link
   * PostgresStartKeys#PURGE} does with keys. The subselect for the workflow is a look-up in an
   * index, with a limit that keeps it one.
   */
  static final String PURGE =
      """
      WITH seen AS MATERIALIZED (
        SELECT s.workflow_id FROM snapshot s
        WHERE s.workflow_id > ? ORDER BY s.workflow_id LIMIT ?
      ), gone AS MATERIALIZED (
        SELECT l.workflow_id FROM snapshot l
        WHERE l.workflow_id = ANY (ARRAY(
          SELECT s.workflow_id FROM seen s
          WHERE (SELECT true FROM workflow w WHERE w.id = s.workflow_id LIMIT 1) IS NULL))
        FOR UPDATE SKIP LOCKED
      ), removed AS (
        DELETE FROM snapshot d WHERE d.workflow_id = ANY (ARRAY(SELECT g.workflow_id FROM gone g))
        RETURNING 1
      )
      SELECT (SELECT count(*) FROM removed), count(*), max(s.workflow_id) FROM seen s
      """;

  @Override
  public Purged purge(Place after, int limit) {
    try (Connection c = pool.getConnection();
        PreparedStatement purge = c.prepareStatement(PURGE)) {
      purge.setString(1, after.column());
      purge.setInt(2, limit);
      try (ResultSet row = purge.executeQuery()) {
        row.next();
        boolean more = row.getInt(2) == limit;
        return new Purged(row.getInt(1), more ? new Place(row.getString(3)) : Place.BEGINNING);
      }
    } catch (SQLException e) {
      throw SqlFailures.atCommit("removing snapshots", e);
    }
  }
}
