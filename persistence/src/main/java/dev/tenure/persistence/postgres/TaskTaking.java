package dev.tenure.persistence.postgres;

import dev.tenure.persistence.codec.BinaryReader;
import dev.tenure.persistence.codec.BinaryWriter;
import dev.tenure.persistence.key.KeyText;
import dev.tenure.persistence.task.Lane;
import dev.tenure.persistence.task.TakenTask;
import dev.tenure.persistence.task.Taking;
import dev.tenure.persistence.task.Taking.Choice;
import dev.tenure.persistence.task.Taking.Pick;
import dev.tenure.persistence.task.TaskId;
import dev.tenure.persistence.task.TaskOffer;
import dev.tenure.persistence.task.TaskToken;
import dev.tenure.persistence.task.Tasks;
import dev.tenure.persistence.task.Turn;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Takes tasks of one queue, in one transaction. It locks the queue, then the resources that limit
 * its tasks, then the tasks that it takes. No other transaction waits for a queue or a resource
 * while it holds anything else that this one needs, and tasks that are locked are passed over.
 */
final class TaskTaking {
  /** After so many reads of lanes whose tasks ran out, the rest is left to the next call. */
  private static final int READS_MAX = 4;

  private static final int TASKS_OF_LANE_MIN = 4;

  private final TaskRows rows;

  TaskTaking(TaskRows rows) {
    this.rows = rows;
  }

  /** The lock is what serialises all nodes that take from the queue. */
  static final String LOCK_QUEUE =
      """
      SELECT q.turns FROM task_queue q WHERE q.name = ? FOR UPDATE
      """;

  /**
   * Only for a queue with tasks: workers may ask for queues of any name. An upsert, because the row
   * of a queue that was not used for long may be removed at the same time.
   */
  static final String MAKE_QUEUE =
      """
      INSERT INTO task_queue AS q (name)
      SELECT a.name FROM (SELECT ?::text AS name) a
      WHERE (SELECT true FROM task t WHERE t.queue = a.name AND t.state = 'waiting' LIMIT 1)
      ON CONFLICT (name) DO UPDATE SET turns = q.turns
      RETURNING q.turns
      """;

  private record Queue(String name, List<Turn> turns) {}

  List<List<TakenTask>> take(
      Connection c, String queue, List<Tasks.Poll> polls, Tasks.Secrets secrets)
      throws SQLException {
    List<List<TakenTask>> taken = new ArrayList<>();
    for (int i = 0; i < polls.size(); i++) taken.add(new ArrayList<>());
    String name = KeyText.column(queue);
    Optional<Queue> locked = queue(c, LOCK_QUEUE, name);
    if (locked.isEmpty()) locked = queue(c, MAKE_QUEUE, name);
    if (locked.isEmpty()) return taken;
    Queue held = locked.get();
    List<Turn> turns = new ArrayList<>();
    TaskLanes.Found found = page(c, held, polls, turns);
    List<Lane> wanted =
        found.lanes().stream().filter(lane -> Taking.isWanted(polls, lane.activity())).toList();
    TaskScopes scopes = TaskScopes.lock(c, wanted);
    Choice choice = choose(c, held, found, scopes, polls);
    if (!choice.picks().isEmpty()) {
      take(c, held.name, choice.picks(), polls, secrets, taken);
      scopes.begin(c, choice.picks());
    }
    turns.addAll(choice.turns());
    if (!turns.isEmpty()) keepTurns(c, held, turns);
    return taken;
  }

  /**
   * The lanes among which is decided. A priority can have more lanes than are looked at together,
   * and none of them may go, because their resources are full or no poll is for their activities.
   * Then the lower priorities are looked at, and the next call goes on in this one behind the last
   * lane. Without locks: resources are locked all at once, in the order of their names.
   *
   * @param turns receives how far the priorities were looked at that have nothing
   */
  private static TaskLanes.Found page(
      Connection c, Queue queue, List<Tasks.Poll> polls, List<Turn> turns) throws SQLException {
    Optional<Integer> below = Optional.empty();
    while (true) {
      TaskLanes.Found found = TaskLanes.of(c, queue.name, queue.turns, polls, below);
      if (!found.cut() || found.mayGo(c, polls)) return found;
      Lane last = found.lanes().getLast();
      turns.add(Turn.behind(last));
      below = Optional.of(last.priority());
    }
  }

  private static Optional<Queue> queue(Connection c, String sql, String name) throws SQLException {
    try (PreparedStatement query = c.prepareStatement(sql)) {
      query.setString(1, name);
      try (ResultSet row = query.executeQuery()) {
        return row.next()
            ? Optional.of(new Queue(name, turns(row.getBytes("turns"))))
            : Optional.empty();
      }
    }
  }

  private static Choice choose(
      Connection c, Queue queue, TaskLanes.Found found, TaskScopes scopes, List<Tasks.Poll> polls)
      throws SQLException {
    int wanted = Taking.wanted(polls);
    List<Lane> lanes = new ArrayList<>();
    for (Lane lane : found.lanes()) {
      boolean useful = Taking.isWanted(polls, lane.activity());
      lanes.add(lane.withRoom(useful ? scopes.room(lane.limits(), wanted) : 0));
    }
    int share = 2 * wanted / Math.max(1, lanes.size());
    int depth = Math.min(wanted, Math.max(TASKS_OF_LANE_MIN, share));
    lanes = TaskLanes.oldest(c, queue.name, lanes, lanes, depth);
    Choice choice = Taking.choose(lanes, found.cut(), polls);
    for (int read = 1; read < READS_MAX && !choice.unknown().isEmpty(); read++) {
      depth = Math.min(wanted, depth * 8);
      lanes = TaskLanes.oldest(c, queue.name, lanes, choice.unknown(), depth);
      choice = Taking.choose(lanes, found.cut(), polls);
    }
    return choice;
  }

  /**
   * SKIP LOCKED: a commit that removes a task holds it, and no node has to wait for that. A task
   * whose deadline is over is left to the scan for such tasks.
   */
  static final String TAKE =
      """
      UPDATE task t SET state = 'taken', worker = c.worker, token = c.token,
        attempt_until = c.now + t.attempt_limit_us * interval '1 microsecond',
        due_at = least(c.now + coalesce(t.heartbeat_us, t.visibility_us) * interval '1 microsecond',
          c.now + t.attempt_limit_us * interval '1 microsecond', t.deadline)
      FROM (
        SELECT a.*, v.part, v.row, clock.now
        FROM (SELECT clock_timestamp() AS now) clock, unnest(?::int4[], ?::text[], ?::text[],
            ?::text[], ?::int8[], ?::text[], ?::bytea[]) WITH ORDINALITY
          AS a (urgency, fairness_key, activity, scope, number, worker, token, place)
        CROSS JOIN LATERAL (
          SELECT u.tableoid AS part, u.ctid AS row FROM task u
          WHERE u.queue = ? AND u.state = 'waiting' AND u.urgency = a.urgency
            AND u.fairness_key = a.fairness_key AND u.activity = a.activity AND u.scope = a.scope
            AND u.number = a.number AND (u.deadline IS NULL OR u.deadline > clock.now)
          LIMIT 1 FOR UPDATE SKIP LOCKED) v) c
      WHERE t.ctid = c.row AND t.tableoid = c.part
      RETURNING c.place, t.*
      """;

  private void take(
      Connection c,
      String queue,
      List<Pick> picks,
      List<Tasks.Poll> polls,
      Tasks.Secrets secrets,
      List<List<TakenTask>> taken)
      throws SQLException {
    int size = picks.size();
    String[] given = new String[size];
    byte[][] hashes = new byte[size][];
    String[] workers = new String[size];
    long[] numbers = new long[size];
    for (int i = 0; i < size; i++) {
      given[i] = secrets.next();
      hashes[i] = TaskToken.hash(given[i]);
      workers[i] = KeyText.column(polls.get(picks.get(i).poll()).worker());
      numbers[i] = picks.get(i).number();
    }
    Map<Integer, TakenTask> byPlace = new HashMap<>();
    try (PreparedStatement update = c.prepareStatement(TAKE)) {
      TaskLanes.bind(c, update, picks.stream().map(Pick::lane).toList());
      update.setObject(5, numbers);
      update.setArray(6, c.createArrayOf("text", workers));
      update.setArray(7, c.createArrayOf("bytea", hashes));
      update.setString(8, queue);
      try (ResultSet row = update.executeQuery()) {
        while (row.next()) {
          int place = row.getInt("place") - 1;
          byPlace.put(place, taken(row, given[place]));
        }
      }
    }
    // In the order in which they were chosen; PostgreSQL may have changed them in another one.
    for (int i = 0; i < size; i++)
      if (byPlace.containsKey(i)) taken.get(picks.get(i).poll()).add(byPlace.get(i));
  }

  private TakenTask taken(ResultSet row, String secret) throws SQLException {
    TaskOffer offer = rows.offer(row);
    TaskId id = offer.id();
    return new TakenTask(
        offer,
        new TaskToken(id, offer.attempt(), row.getInt("delivery"), secret),
        TaskRows.time(row, "due_at").orElseThrow(),
        rows.details(row));
  }

  static final String KEEP_TURNS =
      """
      UPDATE task_queue SET turns = ?, taken_at = clock_timestamp() WHERE name = ?
      """;

  private static void keepTurns(Connection c, Queue queue, List<Turn> news) throws SQLException {
    try (PreparedStatement update = c.prepareStatement(KEEP_TURNS)) {
      update.setBytes(1, written(Taking.merged(queue.turns, news)));
      update.setString(2, queue.name);
      update.executeUpdate();
    }
  }

  static byte[] written(List<Turn> turns) {
    BinaryWriter out = new BinaryWriter(64);
    out.all(
        turns,
        (each, turn) -> {
          int record = each.begin();
          each.signed(turn.priority());
          each.text(turn.fairnessKey());
          each.optional(
              turn.within(),
              (w, within) -> {
                w.text(within.activity());
                w.text(within.scope());
              });
          each.end(record);
        });
    return out.toBytes();
  }

  static List<Turn> turns(byte[] stored) {
    if (stored.length == 0) return List.of();
    return new BinaryReader(stored)
        .all(
            each -> {
              int outer = each.begin();
              Turn turn =
                  new Turn(
                      (int) each.signed(),
                      each.text(),
                      each.optional(w -> new Turn.Within(w.text(), w.text())));
              each.end(outer);
              return turn;
            });
  }
}
