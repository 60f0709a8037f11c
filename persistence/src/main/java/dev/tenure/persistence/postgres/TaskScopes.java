package dev.tenure.persistence.postgres;

import dev.tenure.persistence.key.KeyText;
import dev.tenure.persistence.task.Lane;
import dev.tenure.persistence.task.Taking;
import dev.tenure.persistence.task.Taking.Pick;
import dev.tenure.persistence.task.TaskLimits;
import dev.tenure.persistence.task.TaskLimits.Use;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What limits the tasks of lanes: how many of each resource are taken, and began lately. */
final class TaskScopes {
  private final Map<String, Use> uses;
  private final Instant now;

  private TaskScopes(Map<String, Use> uses, Instant now) {
    this.uses = uses;
    this.now = now;
  }

  /**
   * An upsert, because a row that was not used for long may be removed at the same time. The rows
   * are locked in the order of their names: two nodes may take from two queues at once. A bucket
   * that is full says only when it was used last.
   */
  static final String LOCK =
      """
      INSERT INTO task_resource AS r (scope, full_at)
      SELECT a.scope, clock_timestamp() - interval '1 second' FROM unnest(?::text[]) AS a (scope)
      ORDER BY a.scope COLLATE "C"
      ON CONFLICT (scope) DO UPDATE SET full_at = greatest(r.full_at, excluded.full_at)
      RETURNING r.scope, r.full_at
      """;

  /**
   * A statement of its own: it begins when the locks are granted, and sees what was taken before.
   * Nothing is counted beyond the limit. What is lost counts: its worker may run on, and has the
   * task again when it comes back.
   */
  static final String COUNT =
      """
      SELECT a.scope, (
        SELECT count(*) FROM (
          SELECT 1 FROM task t
          WHERE t.scope = a.scope AND t.state IN ('taken', 'lost') AND t.scope <> ''
          LIMIT a.row_limit) taken) AS taken, clock_timestamp() AS at
      FROM unnest(?::text[], ?::int4[]) AS a (scope, row_limit)
      """;

  static final String READ =
      """
      SELECT r.scope, r.full_at FROM unnest(?::text[]) AS a (scope)
      CROSS JOIN LATERAL (SELECT * FROM task_resource s WHERE s.scope = a.scope LIMIT 1) r
      """;

  /** Until the transaction is over, no other one takes tasks with these limits. */
  static TaskScopes lock(Connection c, List<Lane> lanes) throws SQLException {
    return of(c, lanes, LOCK);
  }

  /** As they are at the moment. */
  static TaskScopes read(Connection c, List<Lane> lanes) throws SQLException {
    return of(c, lanes, READ);
  }

  private static TaskScopes of(Connection c, List<Lane> lanes, String sql) throws SQLException {
    Map<String, Integer> scopes = new TreeMap<>();
    for (Lane lane : lanes)
      if (lane.limits().isLimited())
        scopes.merge(
            KeyText.column(lane.limits().scope()), lane.limits().atOnceMax().orElse(0), Math::max);
    Map<String, Use> uses = new HashMap<>();
    if (scopes.isEmpty()) return new TaskScopes(uses, Instant.EPOCH);
    Instant now = Instant.EPOCH;
    Array names = c.createArrayOf("text", scopes.keySet().toArray());
    Map<String, Instant> fullAt = new HashMap<>();
    try (PreparedStatement lock = c.prepareStatement(sql)) {
      lock.setArray(1, names);
      try (ResultSet rows = lock.executeQuery()) {
        while (rows.next())
          fullAt.put(rows.getString("scope"), TaskRows.time(rows, "full_at").orElseThrow());
      }
    }
    try (PreparedStatement count = c.prepareStatement(COUNT)) {
      count.setArray(1, names);
      count.setObject(2, scopes.values().stream().mapToInt(max -> max).toArray());
      try (ResultSet rows = count.executeQuery()) {
        while (rows.next()) {
          String scope = rows.getString("scope");
          now = TaskRows.time(rows, "at").orElseThrow();
          Instant full = fullAt.getOrDefault(scope, Instant.EPOCH);
          uses.put(KeyText.ofColumn(scope), new Use(rows.getLong("taken"), full));
        }
      }
    }
    return new TaskScopes(uses, now);
  }

  int room(TaskLimits limits, int max) {
    return limits.room(uses.getOrDefault(limits.scope(), Use.NONE), now, max);
  }

  /** The rows are locked, so they are where the statement finds them. */
  static final String BEGIN =
      """
      UPDATE task_resource r SET full_at = c.full_at
      FROM (
        SELECT a.full_at, v.part, v.row FROM unnest(?::text[], ?::timestamptz[]) AS a (scope, full_at)
        CROSS JOIN LATERAL (
          SELECT s.tableoid AS part, s.ctid AS row FROM task_resource s
          WHERE s.scope = a.scope LIMIT 1) v) c
      WHERE r.ctid = c.row AND r.tableoid = c.part
      """;

  /** These tasks begin now: they use up what their rates allow. */
  void begin(Connection c, List<Pick> picks) throws SQLException {
    Map<String, TaskLimits> rated = new TreeMap<>();
    for (Pick pick : picks)
      if (pick.lane().limits().rate().isPresent())
        rated.put(pick.lane().limits().scope(), pick.lane().limits());
    if (rated.isEmpty()) return;
    Map<String, Integer> begun = Taking.begunByScope(picks);
    List<String> scopes = new ArrayList<>();
    List<OffsetDateTime> fullAt = new ArrayList<>();
    for (TaskLimits limits : rated.values()) {
      Instant before = uses.getOrDefault(limits.scope(), Use.NONE).fullAt();
      Instant after = limits.fullAfter(begun.get(limits.scope()), before, now);
      scopes.add(KeyText.column(limits.scope()));
      fullAt.add(after.atOffset(ZoneOffset.UTC));
    }
    try (PreparedStatement update = c.prepareStatement(BEGIN)) {
      update.setArray(1, c.createArrayOf("text", scopes.toArray()));
      update.setArray(
          2, c.createArrayOf("timestamptz", fullAt.stream().map(Object::toString).toArray()));
      update.executeUpdate();
    }
  }
}
