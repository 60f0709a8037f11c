package dev.tenure.persistence.postgres;

import dev.tenure.persistence.key.KeyText;
import dev.tenure.persistence.task.TaskId;
import dev.tenure.persistence.task.Tasks;
import dev.tenure.persistence.task.Tasks.KeyView;
import dev.tenure.persistence.task.Tasks.Poll;
import dev.tenure.persistence.task.Tasks.QueueView;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What is seen of queues without taking anything. */
final class TaskViews {
  private static final List<Poll> ANYBODY = List.of(new Poll("", Set.of(), 1));

  private TaskViews() {}

  /** One look-up for each queue; most of those that workers wait for are empty. */
  static final String WAITING =
      """
      SELECT a.name FROM unnest(?::text[]) AS a (name)
      WHERE (SELECT true FROM task t WHERE t.queue = a.name AND t.state = 'waiting' LIMIT 1)
      """;

  static Set<String> withWork(Connection c, Set<String> queues) throws SQLException {
    Set<String> found = new HashSet<>();
    try (PreparedStatement query = c.prepareStatement(WAITING)) {
      query.setArray(1, c.createArrayOf("text", queues.stream().map(KeyText::column).toArray()));
      List<String> names = new ArrayList<>();
      try (ResultSet rows = query.executeQuery()) {
        while (rows.next()) names.add(rows.getString(1));
      }
      for (String name : names) if (mayGo(c, name)) found.add(KeyText.ofColumn(name));
    }
    return found;
  }

  /** Whether the limits let one of its tasks go. */
  private static boolean mayGo(Connection c, String queue) throws SQLException {
    TaskLanes.Found found = TaskLanes.of(c, queue, List.of(), ANYBODY, Optional.empty());
    // Behind so many lanes that may not go, there may be one that may.
    return found.cut() || found.mayGo(c, ANYBODY);
  }

  /** What waits is counted in the index, and what is with workers among all that is. */
  static final String COUNTS =
      """
      SELECT
        (SELECT count(*) FROM (
          SELECT 1 FROM task t WHERE t.queue = a.name AND t.state = 'waiting' LIMIT ?) w)
          AS waiting,
        (SELECT count(*) FROM (
          SELECT 1 FROM task t WHERE t.state = 'taken' AND t.due_at IS NOT NULL
            AND t.queue = a.name LIMIT ?) w) AS taken,
        (SELECT count(*) FROM (
          SELECT 1 FROM task t WHERE t.state = 'lost' AND t.queue = a.name LIMIT ?) w) AS lost,
        (SELECT min(w.offered_at) FROM (
          SELECT t.offered_at FROM task t WHERE t.queue = a.name AND t.state = 'waiting'
          LIMIT ?) w) AS oldest
      FROM (SELECT ?::text AS name) a
      """;

  static final String KEYS =
      """
      SELECT k.fairness_key, k.waiting, (
        SELECT count(*) FROM (
          SELECT 1 FROM task t WHERE t.state = 'taken' AND t.due_at IS NOT NULL
            AND t.queue = k.queue AND t.fairness_key = k.fairness_key LIMIT ?) w) AS taken
      FROM (
        SELECT w.queue, w.fairness_key, count(*) AS waiting FROM (
          SELECT t.queue, t.fairness_key FROM task t WHERE t.queue = ? AND t.state = 'waiting'
          LIMIT ?) w
        GROUP BY w.queue, w.fairness_key
        ORDER BY count(*) DESC, w.fairness_key LIMIT ?) k
      ORDER BY k.waiting DESC, k.fairness_key
      """;

  static QueueView view(Connection c, String queue, int keys) throws SQLException {
    String name = KeyText.column(queue);
    List<KeyView> ofKeys = new ArrayList<>();
    try (PreparedStatement query = c.prepareStatement(KEYS)) {
      query.setInt(1, Tasks.COUNT_MAX);
      query.setString(2, name);
      query.setInt(3, Tasks.COUNT_MAX);
      query.setInt(4, keys);
      try (ResultSet rows = query.executeQuery()) {
        while (rows.next())
          ofKeys.add(
              new KeyView(KeyText.ofColumn(rows.getString(1)), rows.getLong(2), rows.getLong(3)));
      }
    }
    try (PreparedStatement query = c.prepareStatement(COUNTS)) {
      for (int i = 1; i <= 4; i++) query.setInt(i, Tasks.COUNT_MAX);
      query.setString(5, name);
      try (ResultSet row = query.executeQuery()) {
        row.next();
        return new QueueView(
            row.getLong("waiting"),
            row.getLong("taken"),
            row.getLong("lost"),
            TaskRows.time(row, "oldest"),
            ofKeys);
      }
    }
  }

  /** Those with waiting tasks from one look-up to the next, and those of tasks with workers. */
  static final String QUEUES =
      """
      WITH RECURSIVE waiting AS (
        (SELECT t.queue FROM task t WHERE t.state = 'waiting' ORDER BY t.queue LIMIT 1)
        UNION ALL
        SELECT n.queue FROM waiting w CROSS JOIN LATERAL (
          SELECT t.queue FROM task t WHERE t.state = 'waiting' AND t.queue > w.queue
          ORDER BY t.queue LIMIT 1) n
      )
      SELECT q.queue FROM (
        (SELECT queue FROM waiting LIMIT ?)
        UNION
        (SELECT t.queue FROM task t WHERE t.state = 'taken' AND t.due_at IS NOT NULL LIMIT ?)
        UNION
        (SELECT t.queue FROM task t WHERE t.state IN ('done', 'lost') AND t.state = 'lost'
         LIMIT ?)) q
      ORDER BY q.queue LIMIT ?
      """;

  static List<String> queues(Connection c, int limit) throws SQLException {
    try (PreparedStatement query = c.prepareStatement(QUEUES)) {
      query.setInt(1, limit);
      query.setInt(2, Tasks.COUNT_MAX);
      query.setInt(3, Tasks.COUNT_MAX);
      query.setInt(4, limit);
      List<String> found = new ArrayList<>();
      try (ResultSet rows = query.executeQuery()) {
        while (rows.next()) found.add(KeyText.ofColumn(rows.getString(1)));
      }
      return found;
    }
  }

  /**
   * Before a task are all with a higher priority, those of its key that are older, and of each
   * other key as many, because the keys take turns.
   */
  static final String POSITION =
      """
      WITH own AS MATERIALIZED (
        SELECT t.queue, t.urgency, t.fairness_key, t.number FROM task t
        WHERE t.workflow_id = ? AND t.operation_id = ? AND t.state = 'waiting'
      )
      SELECT least(?, (
          SELECT count(*) FROM (
            SELECT 1 FROM task t WHERE t.queue = o.queue AND t.state = 'waiting'
              AND t.urgency < o.urgency LIMIT ?) higher)
        + (
          SELECT count(*) FROM (
            SELECT row_number() OVER (PARTITION BY s.fairness_key ORDER BY s.number) AS turn
            FROM (
              SELECT t.fairness_key, t.number FROM task t
              WHERE t.queue = o.queue AND t.state = 'waiting' AND t.urgency = o.urgency
              LIMIT ?) s) ranked
          WHERE ranked.turn <= (
            SELECT count(*) FROM (
              SELECT 1 FROM task t WHERE t.queue = o.queue AND t.state = 'waiting'
                AND t.urgency = o.urgency AND t.fairness_key = o.fairness_key
                AND t.number < o.number LIMIT ?) older)))
      FROM own o
      """;

  static Optional<Long> position(Connection c, TaskId id) throws SQLException {
    try (PreparedStatement query = c.prepareStatement(POSITION)) {
      query.setString(1, KeyText.column(id.workflow().value()));
      query.setString(2, KeyText.column(id.operation()));
      for (int i = 3; i <= 6; i++) query.setInt(i, Tasks.COUNT_MAX);
      try (ResultSet row = query.executeQuery()) {
        return row.next() ? Optional.of(row.getLong(1)) : Optional.empty();
      }
    }
  }
}
