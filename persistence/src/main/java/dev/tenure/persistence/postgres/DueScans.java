package dev.tenure.persistence.postgres;

import dev.tenure.persistence.key.KeyText;
import dev.tenure.persistence.visibility.StoredTime;
import dev.tenure.persistence.visibility.WakeUp;
import dev.tenure.workflow.WorkflowId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;

/** Finds the workflows that are due. Timers and recoveries wait for it, so no list holds it up. */
final class DueScans {
  private final DataSource pool;

  DueScans(DataSource pool) {
    this.pool = pool;
  }

  /** By the time at which the statement begins: only a time that stands still can be looked up. */
  static final String MUST_BE_AWAKE =
      """
      SELECT w.id, w.shard, w.wake_at, w.number
      FROM unnest(?::int4[]) AS s (shard) CROSS JOIN LATERAL (
        SELECT v.id, v.shard, v.wake_at, v.number FROM workflow v
        WHERE v.shard = s.shard AND v.wake_at <= now()
          AND (v.wake_at, v.number) > (?::timestamptz, ?)
        ORDER BY v.wake_at, v.number LIMIT ?) w
      ORDER BY w.wake_at, w.number LIMIT ?
      """;

  List<WakeUp> mustBeAwake(Set<Integer> shards, WakeUp.Point after, int limit) {
    try (Connection c = pool.getConnection();
        PreparedStatement query = c.prepareStatement(MUST_BE_AWAKE)) {
      query.setObject(1, shards.stream().mapToInt(Integer::intValue).sorted().toArray());
      query.setObject(2, StoredInstant.parameter(after.at()));
      query.setLong(3, after.number());
      query.setInt(4, limit);
      query.setInt(5, limit);
      return wakes(query);
    } catch (SQLException e) {
      throw SqlFailures.beforeCommit(
          "looking for what must be awake in " + shards.size() + " shards", e);
    }
  }

  static final String FIRST_DUE =
      """
      SELECT w.id, w.shard, w.wake_at, w.number
      FROM unnest(?::int4[]) AS s (shard) CROSS JOIN LATERAL (
        SELECT v.id, v.shard, v.wake_at, v.number FROM workflow v
        WHERE v.shard = s.shard AND v.wake_at IS NOT NULL
        ORDER BY v.wake_at, v.number LIMIT 1) w
      """;

  List<WakeUp> first(Set<Integer> shards) {
    try (Connection c = pool.getConnection();
        PreparedStatement query = c.prepareStatement(FIRST_DUE)) {
      query.setObject(1, shards.stream().mapToInt(Integer::intValue).sorted().toArray());
      return wakes(query);
    } catch (SQLException e) {
      throw SqlFailures.beforeCommit("looking for shards that no node holds", e);
    }
  }

  /** Each shard gives its first rows, in the order of the index, and these are merged. */
  static final String DUE =
      """
      SELECT w.id, w.shard, w.wake_at, w.number
      FROM unnest(?::int4[]) AS s (shard) CROSS JOIN LATERAL (
        SELECT v.id, v.shard, v.wake_at, v.number FROM workflow v
        WHERE v.shard = s.shard AND v.wake_at <= ?::timestamptz
          AND (v.wake_at, v.number) > (?::timestamptz, ?)
        ORDER BY v.wake_at, v.number LIMIT ?) w
      ORDER BY w.wake_at, w.number LIMIT ?
      """;

  List<WakeUp> until(Set<Integer> shards, WakeUp.Point after, Instant until, int limit) {
    try (Connection c = pool.getConnection();
        PreparedStatement query = c.prepareStatement(DUE)) {
      query.setObject(1, shards.stream().mapToInt(Integer::intValue).sorted().toArray());
      query.setObject(2, StoredInstant.parameter(StoredTime.floor(until)));
      query.setObject(3, StoredInstant.parameter(after.at()));
      query.setLong(4, after.number());
      query.setInt(5, limit);
      query.setInt(6, limit);
      return wakes(query);
    } catch (SQLException e) {
      throw SqlFailures.beforeCommit("looking for what became due", e);
    }
  }

  private static List<WakeUp> wakes(PreparedStatement query) throws SQLException {
    List<WakeUp> found = new ArrayList<>();
    try (ResultSet rows = query.executeQuery()) {
      while (rows.next()) {
        found.add(
            new WakeUp(
                new WorkflowId(KeyText.ofColumn(rows.getString(1))),
                rows.getInt(2),
                new WakeUp.Point(StoredInstant.of(rows, 3), rows.getLong(4))));
      }
    }
    return found;
  }
}
