package dev.tenure.persistence.postgres;

import dev.tenure.persistence.key.KeyText;
import dev.tenure.persistence.task.Lane;
import dev.tenure.persistence.task.Taking;
import dev.tenure.persistence.task.TaskLimits;
import dev.tenure.persistence.task.Tasks;
import dev.tenure.persistence.task.Turn;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds the lanes of a queue: what waiting tasks there are, whatever their number. Each lane is one
 * look-up in {@code task_waiting}.
 */
final class TaskLanes {
  /** Lanes that one call looks at. The next call goes on behind the last one. */
  static final int LANES_MAX = 256;

  /** No stored text has a character below this one, so a text with it comes next behind another. */
  private static final String NEXT = "\u0001";

  private TaskLanes() {}

  /**
   * @param cut whether there are lanes behind the last one that were not looked at
   */
  record Found(List<Lane> lanes, boolean cut) {
    /** Whether the limits let a task go that one of the polls can take, as it is at the moment. */
    boolean mayGo(Connection c, List<Tasks.Poll> polls) throws SQLException {
      List<Lane> useful =
          lanes.stream().filter(lane -> Taking.isWanted(polls, lane.activity())).toList();
      for (Lane lane : useful) if (!lane.limits().isLimited()) return true;
      TaskScopes scopes = TaskScopes.read(c, useful);
      return useful.stream().anyMatch(lane -> scopes.room(lane.limits(), 1) > 0);
    }
  }

  /** The priorities that a queue has tasks of: from one look-up to the next. */
  static final String PRIORITIES =
      """
      WITH RECURSIVE level AS (
        (SELECT t.urgency FROM task t WHERE t.queue = ? AND t.state = 'waiting'
         ORDER BY t.queue, t.urgency LIMIT 1)
        UNION ALL
        SELECT n.urgency FROM level l CROSS JOIN LATERAL (
          SELECT t.urgency FROM task t
          WHERE t.queue = ? AND t.state = 'waiting' AND t.urgency > l.urgency
          ORDER BY t.queue, t.urgency LIMIT 1) n
      )
      SELECT urgency FROM level
      """;

  /**
   * The keys go round: each priority is read from behind its last turn, then from its beginning up
   * to there. Lanes of activities that nobody asks for are passed over, all lanes of one such
   * activity at once. PostgreSQL finds lanes one by one, so it stops at the limit.
   */
  static final String LANES =
      """
      SELECT s.place, l.urgency, l.fairness_key, l.activity, l.scope, l.at_once_max, l.rate_calls,
        l.rate_span_us
      FROM unnest(?::int4[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[])
        WITH ORDINALITY AS s (urgency, fairness_key, activity, scope, end_key, end_activity,
          end_scope, place)
      CROSS JOIN LATERAL (
        WITH RECURSIVE lane AS (
          (SELECT t.urgency, t.fairness_key, t.activity, t.scope, t.at_once_max, t.rate_calls,
             t.rate_span_us
           FROM task t
           WHERE t.queue = ? AND t.state = 'waiting' AND t.urgency = s.urgency
             AND (t.fairness_key, t.activity, t.scope) >= (s.fairness_key, s.activity, s.scope)
           ORDER BY t.fairness_key, t.activity, t.scope, t.number LIMIT 1)
          UNION ALL
          SELECT n.* FROM lane p CROSS JOIN LATERAL (
            SELECT t.urgency, t.fairness_key, t.activity, t.scope, t.at_once_max, t.rate_calls,
              t.rate_span_us
            FROM task t
            WHERE t.queue = ? AND t.state = 'waiting' AND t.urgency = s.urgency
              AND (t.fairness_key, t.activity, t.scope) >= (p.fairness_key,
                CASE WHEN ?::text[] IS NULL OR p.activity = ANY (?::text[])
                  THEN p.activity ELSE p.activity || chr(1) END,
                CASE WHEN ?::text[] IS NULL OR p.activity = ANY (?::text[])
                  THEN p.scope || chr(1) ELSE '' END)
            ORDER BY t.fairness_key, t.activity, t.scope, t.number LIMIT 1) n
          WHERE s.end_key IS NULL
            OR (p.fairness_key, p.activity, p.scope) < (s.end_key, s.end_activity, s.end_scope)
        )
        SELECT * FROM lane
        WHERE s.end_key IS NULL
          OR (fairness_key, activity, scope) < (s.end_key, s.end_activity, s.end_scope)) l
      LIMIT ?
      """;

  /** Where a part of a priority begins, and where it ends: null for the end of all keys. */
  private record Part(int urgency, String[] from, String[] end) {}

  private static final String[] BEGINNING = {"", "", ""};
  private static final String[] NO_END = {null, null, null};

  /**
   * @param below only priorities lower than this one
   */
  static Found of(
      Connection c, String queue, List<Turn> turns, List<Tasks.Poll> polls, Optional<Integer> below)
      throws SQLException {
    List<Integer> urgencies = priorities(c, queue);
    if (below.isPresent()) urgencies.removeIf(urgency -> urgency <= -below.get());
    List<Part> parts = parts(urgencies, turns);
    if (parts.isEmpty()) return new Found(List.of(), false);
    try (PreparedStatement query = c.prepareStatement(LANES)) {
      query.setObject(1, parts.stream().mapToInt(Part::urgency).toArray());
      for (int column = 0; column < 3; column++) {
        int at = column;
        query.setArray(
            2 + at, c.createArrayOf("text", parts.stream().map(p -> p.from[at]).toArray()));
        query.setArray(
            5 + at, c.createArrayOf("text", parts.stream().map(p -> p.end[at]).toArray()));
      }
      query.setString(8, queue);
      query.setString(9, queue);
      Object[] activities = activities(polls).map(Set::toArray).orElse(null);
      for (int at = 10; at < 14; at++)
        query.setArray(at, activities == null ? null : c.createArrayOf("text", activities));
      query.setInt(14, LANES_MAX);
      List<Lane> lanes = new ArrayList<>();
      try (ResultSet rows = query.executeQuery()) {
        while (rows.next()) lanes.add(lane(rows));
      }
      return new Found(lanes, lanes.size() == LANES_MAX);
    }
  }

  private static List<Integer> priorities(Connection c, String queue) throws SQLException {
    try (PreparedStatement query = c.prepareStatement(PRIORITIES)) {
      query.setString(1, queue);
      query.setString(2, queue);
      List<Integer> found = new ArrayList<>();
      try (ResultSet rows = query.executeQuery()) {
        while (rows.next()) found.add(rows.getInt("urgency"));
      }
      return found;
    }
  }

  private static List<Part> parts(List<Integer> urgencies, List<Turn> turns) {
    Map<Integer, Turn> last = new HashMap<>();
    for (Turn turn : turns) last.put(-turn.priority(), turn);
    List<Part> parts = new ArrayList<>();
    for (int urgency : urgencies) {
      Turn turn = last.get(urgency);
      if (turn == null) parts.add(new Part(urgency, BEGINNING, NO_END));
      else {
        String[] next = behind(turn);
        parts.add(new Part(urgency, next, NO_END));
        parts.add(new Part(urgency, BEGINNING, next));
      }
    }
    return parts;
  }

  private static String[] behind(Turn turn) {
    String key = KeyText.column(turn.fairnessKey());
    if (turn.within().isEmpty()) return new String[] {key + NEXT, "", ""};
    Turn.Within lane = turn.within().get();
    return new String[] {key, KeyText.column(lane.activity()), KeyText.column(lane.scope()) + NEXT};
  }

  /** Empty when some worker takes any. */
  private static Optional<Set<String>> activities(List<Tasks.Poll> polls) {
    Set<String> all = new TreeSet<>();
    for (Tasks.Poll poll : polls) {
      if (poll.activities().isEmpty()) return Optional.empty();
      poll.activities().stream().map(KeyText::column).forEach(all::add);
    }
    return Optional.of(all);
  }

  private static Lane lane(ResultSet row) throws SQLException {
    return Lane.found(
        -row.getInt("urgency"),
        KeyText.ofColumn(row.getString("fairness_key")),
        KeyText.ofColumn(row.getString("activity")),
        new TaskLimits(
            KeyText.ofColumn(row.getString("scope")), TaskRows.atOnceMax(row), TaskRows.rate(row)));
  }

  static final String OLDEST =
      """
      SELECT a.place, o.number
      FROM unnest(?::int4[], ?::text[], ?::text[], ?::text[], ?::int4[]) WITH ORDINALITY
        AS a (urgency, fairness_key, activity, scope, row_limit, place)
      CROSS JOIN LATERAL (
        SELECT t.number FROM task t
        WHERE t.queue = ? AND t.state = 'waiting' AND t.urgency = a.urgency
          AND t.fairness_key = a.fairness_key AND t.activity = a.activity AND t.scope = a.scope
        ORDER BY t.number LIMIT a.row_limit) o
      ORDER BY a.place, o.number
      """;

  /** All these lanes, of which some are read anew: their oldest tasks, so many of each. */
  static List<Lane> oldest(
      Connection c, String queue, List<Lane> all, Collection<Lane> anew, int depth)
      throws SQLException {
    List<Lane> open = new ArrayList<>();
    for (Lane lane : all) if (lane.room() > 0 && anew.contains(lane)) open.add(lane);
    if (open.isEmpty()) return all;
    int[] limits = open.stream().mapToInt(lane -> Math.min(lane.room(), depth)).toArray();
    List<List<Long>> numbers = new ArrayList<>();
    for (int i = 0; i < limits.length; i++) numbers.add(new ArrayList<>());
    try (PreparedStatement query = c.prepareStatement(OLDEST)) {
      bind(c, query, open);
      query.setObject(5, limits);
      query.setString(6, queue);
      try (ResultSet rows = query.executeQuery()) {
        while (rows.next()) numbers.get(rows.getInt("place") - 1).add(rows.getLong("number"));
      }
    }
    Map<Lane, Lane> read = new HashMap<>();
    for (int i = 0; i < limits.length; i++)
      read.put(open.get(i), open.get(i).with(numbers.get(i), numbers.get(i).size() == limits[i]));
    return all.stream().map(lane -> read.getOrDefault(lane, lane)).toList();
  }

  /** The first four parameters: what a lane is found by within its queue. */
  static void bind(Connection c, PreparedStatement statement, List<Lane> lanes)
      throws SQLException {
    statement.setObject(1, lanes.stream().mapToInt(lane -> -lane.priority()).toArray());
    statement.setArray(
        2,
        c.createArrayOf(
            "text", lanes.stream().map(lane -> KeyText.column(lane.fairnessKey())).toArray()));
    statement.setArray(
        3,
        c.createArrayOf(
            "text", lanes.stream().map(lane -> KeyText.column(lane.activity())).toArray()));
    statement.setArray(
        4,
        c.createArrayOf(
            "text", lanes.stream().map(lane -> KeyText.column(lane.limits().scope())).toArray()));
  }
}
