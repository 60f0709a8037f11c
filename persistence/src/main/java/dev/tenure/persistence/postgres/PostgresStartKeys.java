package dev.tenure.persistence.postgres;

import dev.tenure.persistence.key.KeyText;
import dev.tenure.persistence.start.StartKeys;
import dev.tenure.workflow.WorkflowId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;

/** Keys of starts as rows of {@code start_key}. */
final class PostgresStartKeys implements StartKeys {
  private static final int TRIES_MAX = 5;

  private final DataSource pool;

  PostgresStartKeys(DataSource pool) {
    this.pool = pool;
  }

  /**
   * One statement that writes or reads. It sees the table as it was when it began: a claim that
   * another request commits meanwhile stops its insert and is not in its view, and it finds
   * nothing.
   */
  static final String CLAIM =
      """
      WITH mine AS (
        INSERT INTO start_key (key, workflow_id, request_hash) VALUES (?, ?, ?)
        ON CONFLICT (key) DO NOTHING RETURNING workflow_id, request_hash
      ), again AS (
        UPDATE start_key SET claimed_at = clock_timestamp()
        WHERE key = ? AND claimed_at < clock_timestamp() - ? * interval '1 millisecond'
      )
      SELECT workflow_id, request_hash FROM mine
      UNION ALL
      SELECT k.workflow_id, k.request_hash FROM start_key k WHERE k.key = ?
      """;

  @Override
  public Claim claim(String key, Claim wanted) {
    for (int tries = 1; tries <= TRIES_MAX; tries++) {
      Optional<Claim> found = tryOnce(key, wanted);
      if (found.isPresent()) return found.get();
    }
    throw new IllegalStateException(
        "a key is neither free nor taken: another transaction is removing it");
  }

  private Optional<Claim> tryOnce(String key, Claim wanted) {
    try (Connection c = pool.getConnection();
        PreparedStatement claim = c.prepareStatement(CLAIM)) {
      claim.setString(1, KeyText.column(key));
      claim.setString(2, KeyText.column(wanted.workflowId().value()));
      claim.setString(3, wanted.requestHash());
      claim.setString(4, KeyText.column(key));
      claim.setLong(5, RENEWED_AFTER.toMillis());
      claim.setString(6, KeyText.column(key));
      try (ResultSet row = claim.executeQuery()) {
        if (!row.next()) return Optional.empty();
        return Optional.of(
            new Claim(new WorkflowId(KeyText.ofColumn(row.getString(1))), row.getString(2)));
      }
    } catch (SQLException e) {
      throw SqlFailures.atCommit("claiming a start's key", e);
    }
  }

  /**
   * It looks at a limited number of keys behind a place, however few it removes: a look at all keys
   * would take longer the more there are. The subselect for the workflow is a look-up in an index,
   * with a limit that keeps it one.
   *
   * <p>FOR UPDATE skips rows that another transaction has locked, and looks again at those that it
   * locked: a claim that a request made again meanwhile is young, and stays.
   */
  static final String PURGE =
      """
      WITH seen AS MATERIALIZED (
        SELECT k.key, k.claimed_at, k.workflow_id FROM start_key k
        WHERE k.key > ? ORDER BY k.key LIMIT ?
      ), gone AS MATERIALIZED (
        SELECT l.key FROM start_key l
        WHERE l.key = ANY (ARRAY(
            SELECT s.key FROM seen s
            WHERE s.claimed_at < clock_timestamp() - ? * interval '1 millisecond'
              AND (SELECT true FROM workflow w WHERE w.id = s.workflow_id LIMIT 1) IS NULL
              AND (SELECT true FROM workflow_closed w WHERE w.id = s.workflow_id LIMIT 1) IS NULL))
          AND l.claimed_at < clock_timestamp() - ? * interval '1 millisecond'
        FOR UPDATE SKIP LOCKED
      ), removed AS (
        DELETE FROM start_key d WHERE d.key = ANY (ARRAY(SELECT g.key FROM gone g)) RETURNING 1
      )
      SELECT (SELECT count(*) FROM removed), count(*), max(s.key) FROM seen s
      """;

  @Override
  public Purged purge(Place after, int limit) {
    try (Connection c = pool.getConnection();
        PreparedStatement purge = c.prepareStatement(PURGE)) {
      purge.setString(1, after.column());
      purge.setInt(2, limit);
      purge.setLong(3, KEPT_FOR.toMillis());
      purge.setLong(4, KEPT_FOR.toMillis());
      try (ResultSet row = purge.executeQuery()) {
        row.next();
        boolean more = row.getInt(2) == limit;
        return new Purged(row.getInt(1), more ? new Place(row.getString(3)) : Place.BEGINNING);
      }
    } catch (SQLException e) {
      throw SqlFailures.atCommit("removing keys of starts", e);
    }
  }
}
