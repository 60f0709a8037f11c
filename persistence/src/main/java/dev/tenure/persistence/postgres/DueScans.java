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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
      ORDER BY w.wake_at, w.number
      """;

  List<WakeUp> mustBeAwake(Set<Integer> shards, WakeUp.Point after, int limit) {
    try (Connection c = pool.getConnection();
        PreparedStatement query = c.prepareStatement(MUST_BE_AWAKE)) {
      query.setObject(1, shards.stream().mapToInt(Integer::intValue).sorted().toArray());
      query.setObject(2, StoredInstant.parameter(after.at()));
      query.setLong(3, after.number());
      int ofEach = ofEachShard(shards.size(), limit);
      query.setInt(4, ofEach);
      return page(wakes(query), ofEach, limit);
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
      ORDER BY w.wake_at, w.number
      """;

  List<WakeUp> until(Set<Integer> shards, WakeUp.Point after, Instant until, int limit) {
    try (Connection c = pool.getConnection();
        PreparedStatement query = c.prepareStatement(DUE)) {
      query.setObject(1, shards.stream().mapToInt(Integer::intValue).sorted().toArray());
      query.setObject(2, StoredInstant.parameter(StoredTime.floor(until)));
      query.setObject(3, StoredInstant.parameter(after.at()));
      query.setLong(4, after.number());
      int ofEach = ofEachShard(shards.size(), limit);
      query.setInt(5, ofEach);
      return page(wakes(query), ofEach, limit);
    } catch (SQLException e) {
      throw SqlFailures.beforeCommit("looking for what became due", e);
    }
  }

  /** Together they fill a page. If each gave a whole page, nearly all of it would be dropped. */
  static int ofEachShard(int shards, int limit) {
    return limit / Math.max(1, shards) + 1;
  }

  /**
   * A shard that gave as many rows as it may can have more, which come after its last. What other
   * shards have after that point belongs to the next page.
   *
   * @param found in the order of their points
   */
  private static List<WakeUp> page(List<WakeUp> found, int ofEach, int limit) {
    Map<Integer, Integer> counts = new HashMap<>();
    for (int i = 0; i < found.size(); i++) {
      boolean full = counts.merge(found.get(i).shard(), 1, Integer::sum) == ofEach;
      if (full || i + 1 == limit) return found.subList(0, i + 1);
    }
    return found;
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
