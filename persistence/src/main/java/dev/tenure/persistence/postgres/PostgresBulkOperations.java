package dev.tenure.persistence.postgres;

import dev.tenure.persistence.bulk.BulkOperation;
import dev.tenure.persistence.bulk.BulkOperation.Progress;
import dev.tenure.persistence.bulk.BulkOperations;
import dev.tenure.persistence.bulk.BulkState;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Optional;
import javax.sql.DataSource;

/** Bulk operations as rows of {@code bulk_operation}. */
final class PostgresBulkOperations implements BulkOperations {
  private final DataSource pool;

  PostgresBulkOperations(DataSource pool) {
    this.pool = pool;
  }

  static final String PROPOSE =
      """
      INSERT INTO bulk_operation (id, state, confirmation, request, counted)
      VALUES (?, 'proposed', ?, ?, ?)
      """;

  @Override
  public void propose(String id, String confirmation, String request, long counted) {
    try (Connection c = pool.getConnection();
        PreparedStatement insert = c.prepareStatement(PROPOSE)) {
      insert.setString(1, id);
      insert.setString(2, confirmation);
      insert.setString(3, request);
      insert.setLong(4, counted);
      insert.executeUpdate();
    } catch (SQLException e) {
      throw SqlFailures.atCommit("proposing a bulk operation", e);
    }
  }

  /** Also when it is confirmed already. */
  static final String CONFIRM =
      """
      UPDATE bulk_operation SET state = CASE WHEN state = 'proposed' THEN 'running' ELSE state END,
        beat_at = CASE WHEN state = 'proposed' THEN '-infinity' ELSE beat_at END
      WHERE confirmation = ?
        AND (state <> 'proposed' OR created_at > clock_timestamp() - ? * interval '1 millisecond')
      RETURNING id, state, request, created_at, counted, turn, cursor, applied, unchanged, failed,
        failure
      """;

  @Override
  public Optional<BulkOperation> confirm(String confirmation) {
    try (Connection c = pool.getConnection();
        PreparedStatement update = c.prepareStatement(CONFIRM)) {
      update.setString(1, confirmation);
      update.setLong(2, PROPOSAL_LIMIT.toMillis());
      return one(update);
    } catch (SQLException e) {
      throw SqlFailures.atCommit("confirming a bulk operation", e);
    }
  }

  static final String FIND =
      """
      SELECT id, state, request, created_at, counted, turn, cursor, applied, unchanged, failed,
        failure
      FROM bulk_operation WHERE id = ?
      """;

  @Override
  public Optional<BulkOperation> find(String id) {
    try (Connection c = pool.getConnection();
        PreparedStatement query = c.prepareStatement(FIND)) {
      query.setString(1, id);
      return one(query);
    } catch (SQLException e) {
      throw SqlFailures.beforeCommit("reading a bulk operation", e);
    }
  }

  /** SKIP LOCKED: two nodes that look at once take two, or one of them none. */
  static final String TAKE =
      """
      UPDATE bulk_operation SET turn = turn + 1, beat_at = clock_timestamp()
      WHERE id = (
        SELECT b.id FROM bulk_operation b
        WHERE b.state = 'running'
          AND b.beat_at < clock_timestamp() - ? * interval '1 millisecond'
        ORDER BY b.beat_at LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING id, state, request, created_at, counted, turn, cursor, applied, unchanged, failed,
        failure
      """;

  @Override
  public Optional<BulkOperation> take(Duration silence) {
    try (Connection c = pool.getConnection();
        PreparedStatement update = c.prepareStatement(TAKE)) {
      update.setLong(1, silence.toMillis());
      return one(update);
    } catch (SQLException e) {
      throw SqlFailures.atCommit("taking a bulk operation", e);
    }
  }

  static final String ADVANCE =
      """
      UPDATE bulk_operation SET beat_at = clock_timestamp(), state = ?, cursor = ?, applied = ?,
        unchanged = ?, failed = ?, failure = ?
      WHERE id = ? AND turn = ? AND state = 'running'
      """;

  @Override
  public boolean advance(String id, BulkState state, Progress progress) {
    try (Connection c = pool.getConnection();
        PreparedStatement update = c.prepareStatement(ADVANCE)) {
      update.setString(1, state.word());
      update.setString(2, progress.cursor().orElse(null));
      update.setLong(3, progress.applied());
      update.setLong(4, progress.unchanged());
      update.setLong(5, progress.failed());
      update.setString(6, progress.failure().orElse(null));
      update.setString(7, id);
      update.setLong(8, progress.turn());
      return update.executeUpdate() == 1;
    } catch (SQLException e) {
      throw SqlFailures.atCommit("advancing a bulk operation", e);
    }
  }

  /** The table is small, because operators write it by hand; this keeps it small. */
  static final String PURGE =
      """
      DELETE FROM bulk_operation WHERE id = ANY (ARRAY(
        SELECT b.id FROM bulk_operation b
        WHERE (b.state = 'finished'
            AND b.beat_at <= clock_timestamp() - ? * interval '1 millisecond')
          OR (b.state = 'proposed'
            AND b.created_at <= clock_timestamp() - ? * interval '1 millisecond')
        LIMIT ? FOR UPDATE SKIP LOCKED))
      """;

  @Override
  public int purge(Duration retention, int limit) {
    try (Connection c = pool.getConnection();
        PreparedStatement purge = c.prepareStatement(PURGE)) {
      purge.setLong(1, retention.toMillis());
      purge.setLong(2, PROPOSAL_KEPT_FOR.toMillis());
      purge.setInt(3, limit);
      return purge.executeUpdate();
    } catch (SQLException e) {
      throw SqlFailures.atCommit("removing old bulk operations", e);
    }
  }

  private static Optional<BulkOperation> one(PreparedStatement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery()) {
      if (!row.next()) return Optional.empty();
      return Optional.of(
          new BulkOperation(
              row.getString(1),
              BulkState.parse(row.getString(2)),
              row.getString(3),
              row.getObject(4, OffsetDateTime.class).toInstant(),
              row.getLong(5),
              new Progress(
                  row.getLong(6),
                  Optional.ofNullable(row.getString(7)),
                  row.getLong(8),
                  row.getLong(9),
                  row.getLong(10),
                  Optional.ofNullable(row.getString(11)))));
    }
  }
}
