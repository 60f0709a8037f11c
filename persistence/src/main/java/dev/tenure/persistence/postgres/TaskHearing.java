package dev.tenure.persistence.postgres;

import dev.tenure.persistence.activity.ActivityEffect;
import dev.tenure.persistence.activity.ActivityKey;
import dev.tenure.persistence.codec.Apart;
import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.key.KeyText;
import dev.tenure.persistence.task.HeldTask;
import dev.tenure.persistence.task.HeldTask.Ruling;
import dev.tenure.persistence.task.TaskId;
import dev.tenure.persistence.task.TaskStanding;
import dev.tenure.persistence.task.Tasks;
import dev.tenure.persistence.task.Tasks.Heard;
import dev.tenure.persistence.task.Tasks.Report;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.operation.Outcome;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Takes what workers say of their tasks, in one transaction. It locks as commits do: the tasks,
 * then the records of keyed calls, then payloads. It leaves the rows of the workflows alone: their
 * owners are told, and {@link TaskExpiry} makes those due whose owners do not come.
 */
final class TaskHearing {
  private final TaskRows rows;
  private final PostgresActivityRecords records;

  TaskHearing(TaskRows rows, PostgresActivityRecords records) {
    this.rows = rows;
    this.records = records;
  }

  /** A task with what the reports of this transaction have made of it so far. */
  private static final class Reported {
    private final TaskId id;
    private final int shard;
    private final Optional<ActivityKey> key;
    private HeldTask task;
    private Instant until = Instant.EPOCH;
    private Optional<Payload> details = Optional.empty();

    private Reported(TaskId id, int shard, Optional<ActivityKey> key, HeldTask task) {
      this.id = id;
      this.shard = shard;
      this.key = key;
      this.task = task;
    }
  }

  /** In the order of the ids, as commits lock that remove tasks. */
  static final String LOCK =
      """
      SELECT t.*, clock_timestamp() AS at FROM (
        SELECT * FROM unnest(?::text[], ?::text[]) AS u (workflow, operation)
        ORDER BY u.workflow COLLATE "C", u.operation COLLATE "C") a
      CROSS JOIN LATERAL (
        SELECT * FROM task s
        WHERE s.workflow_id = a.workflow AND s.operation_id = a.operation LIMIT 1 FOR UPDATE) t
      """;

  List<Heard> hear(Connection c, List<Report> reports) throws SQLException {
    Set<TaskId> ids = new LinkedHashSet<>();
    for (Report report : reports) ids.add(report.token().id());
    Map<TaskId, Reported> tasks = new HashMap<>();
    Instant now = read(c, ids, tasks);
    List<Heard> answers = new ArrayList<>(reports.size());
    Map<TaskId, Reported> alive = new LinkedHashMap<>();
    Map<TaskId, Reported> returned = new LinkedHashMap<>();
    Map<TaskId, Reported> ended = new LinkedHashMap<>();
    for (Report report : reports) {
      Reported found = tasks.get(report.token().id());
      if (found == null) {
        answers.add(new Heard.Rejected(Heard.Why.GONE));
        continue;
      }
      answers.add(
          switch (found.task.judge(report, now)) {
            case Ruling.Refused refused -> new Heard.Rejected(refused.why());
            case Ruling.Repeated repeated -> new Heard.Recorded();
            case Ruling.Extended extended -> {
              found.task = found.task.extended(extended.until());
              found.until = extended.until();
              found.details = extended.details().or(() -> found.details);
              alive.put(found.id, found);
              yield new Heard.Until(extended.until());
            }
            case Ruling.Returned back -> {
              found.task = found.task.waitingAgain();
              returned.put(found.id, found);
              yield new Heard.Recorded();
            }
            case Ruling.Ended end -> {
              found.task = found.task.ended(end.outcome(), now);
              ended.put(found.id, found);
              yield new Heard.Recorded();
            }
          });
    }
    extend(c, alive.values());
    putBack(c, returned.keySet());
    end(c, ended.values());
    return answers;
  }

  private Instant read(Connection c, Set<TaskId> ids, Map<TaskId, Reported> tasks)
      throws SQLException {
    Instant now = Instant.EPOCH;
    try (PreparedStatement query = c.prepareStatement(LOCK)) {
      query.setArray(1, TaskRows.workflows(c, ids));
      query.setArray(2, TaskRows.operations(c, ids));
      try (ResultSet row = query.executeQuery()) {
        while (row.next()) {
          TaskId id = TaskRows.id(row);
          String activity = KeyText.ofColumn(row.getString("activity"));
          Optional<ActivityKey> key =
              Optional.ofNullable(row.getString("idempotency_key"))
                  .map(KeyText::ofColumn)
                  .map(text -> new ActivityKey(id.workflow(), id.operation(), activity, text));
          tasks.put(id, new Reported(id, row.getInt("shard"), key, rows.held(row)));
          now = TaskRows.time(row, "at").orElseThrow();
        }
      }
    }
    return now;
  }

  /** The rows are locked, so they are where the statement finds them. */
  static final String EXTEND =
      """
      UPDATE task t SET state = 'taken', due_at = c.due_at, details = coalesce(c.details, t.details)
      FROM (
        SELECT a.*, v.part, v.row FROM unnest(?::text[], ?::text[], ?::timestamptz[], ?::bytea[])
          AS a (workflow_id, operation_id, due_at, details)
        CROSS JOIN LATERAL (
          SELECT s.tableoid AS part, s.ctid AS row FROM task s
          WHERE s.workflow_id = a.workflow_id AND s.operation_id = a.operation_id LIMIT 1) v) c
      WHERE t.ctid = c.row AND t.tableoid = c.part
      """;

  private static void extend(Connection c, Collection<Reported> alive) throws SQLException {
    if (alive.isEmpty()) return;
    List<TaskId> ids = alive.stream().map(one -> one.id).toList();
    try (PreparedStatement update = c.prepareStatement(EXTEND)) {
      update.setArray(1, TaskRows.workflows(c, ids));
      update.setArray(2, TaskRows.operations(c, ids));
      update.setArray(
          3,
          c.createArrayOf(
              "timestamptz",
              alive.stream().map(one -> one.until.atOffset(ZoneOffset.UTC).toString()).toArray()));
      update.setArray(
          4,
          c.createArrayOf(
              "bytea",
              alive.stream()
                  .map(one -> one.details.map(StoredValues::inFull).orElse(null))
                  .toArray(byte[][]::new)));
      update.executeUpdate();
    }
  }

  /** The next delivery has another number, so that the token of this one is of no use any more. */
  static final String PUT_BACK =
      """
      UPDATE task t SET state = 'waiting', delivery = t.delivery + 1, due_at = t.deadline,
        attempt_until = NULL, worker = NULL, token = NULL
      FROM (
        SELECT v.part, v.row FROM unnest(?::text[], ?::text[]) AS a (workflow_id, operation_id)
        CROSS JOIN LATERAL (
          SELECT s.tableoid AS part, s.ctid AS row FROM task s
          WHERE s.workflow_id = a.workflow_id AND s.operation_id = a.operation_id LIMIT 1) v) c
      WHERE t.ctid = c.row AND t.tableoid = c.part
      """;

  private static void putBack(Connection c, Collection<TaskId> ids) throws SQLException {
    if (ids.isEmpty()) return;
    try (PreparedStatement update = c.prepareStatement(PUT_BACK)) {
      update.setArray(1, TaskRows.workflows(c, ids));
      update.setArray(2, TaskRows.operations(c, ids));
      update.executeUpdate();
    }
  }

  static final String END =
      """
      UPDATE task t SET state = 'done', outcome = c.outcome,
        due_at = clock_timestamp() + ? * interval '1 microsecond'
      FROM (
        SELECT a.*, v.part, v.row FROM unnest(?::text[], ?::text[], ?::bytea[])
          AS a (workflow_id, operation_id, outcome)
        CROSS JOIN LATERAL (
          SELECT s.tableoid AS part, s.ctid AS row FROM task s
          WHERE s.workflow_id = a.workflow_id AND s.operation_id = a.operation_id LIMIT 1) v) c
      WHERE t.ctid = c.row AND t.tableoid = c.part
      """;

  private void end(Connection c, Collection<Reported> ended) throws SQLException {
    if (ended.isEmpty()) return;
    List<TaskId> ids = new ArrayList<>();
    List<byte[]> outcomes = new ArrayList<>();
    List<SideRow> large = new ArrayList<>();
    List<ActivityEffect> effects = new ArrayList<>();
    for (Reported one : ended) {
      Outcome outcome = one.task.outcome().orElseThrow();
      Apart apart = Apart.besideJournal(one.id.workflow(), one.shard);
      ids.add(one.id);
      outcomes.add(StoredValues.of(outcome, apart));
      large.addAll(apart.rows());
      // What was done outside is on record from here on, whatever becomes of the task.
      if (outcome instanceof Outcome.Succeeded(Payload value))
        one.key.ifPresent(
            key ->
                effects.add(
                    new ActivityEffect(key, one.shard, Optional.of(value), Optional.empty())));
    }
    end(c, ids, outcomes);
    // A result is a part of its outcome: what is large is stored once, by the last statement.
    records.complete(c, effects, new ArrayList<>());
    SideRows.withoutCommit(large).write(c);
  }

  /** Under the lock that a report of its worker takes, too. */
  Optional<TaskStanding> endLost(
      Connection c, TaskId id, TaskStanding.Lost found, Outcome conclusion) throws SQLException {
    int shard;
    try (PreparedStatement query = c.prepareStatement(LOCK)) {
      query.setArray(1, TaskRows.workflows(c, List.of(id)));
      query.setArray(2, TaskRows.operations(c, List.of(id)));
      try (ResultSet row = query.executeQuery()) {
        if (!row.next()) return Optional.empty();
        if (rows.held(row).concluded(found, conclusion, Instant.EPOCH).isEmpty())
          return Optional.of(rows.standing(row));
        shard = row.getInt("shard");
      }
    }
    Apart apart = Apart.besideJournal(id.workflow(), shard);
    end(c, List.of(id), List.of(StoredValues.of(conclusion, apart)));
    SideRows.withoutCommit(apart.rows()).write(c);
    return Optional.of(new TaskStanding.Done(found.attempt(), conclusion));
  }

  /** Also for tasks whose time is over. The caller has locked them, and their workflows before. */
  static void end(Connection c, List<TaskId> ids, List<byte[]> outcomes) throws SQLException {
    try (PreparedStatement update = c.prepareStatement(END)) {
      update.setLong(1, Tasks.TAKEN_WITHIN.toNanos() / 1_000);
      update.setArray(2, TaskRows.workflows(c, ids));
      update.setArray(3, TaskRows.operations(c, ids));
      update.setArray(4, c.createArrayOf("bytea", outcomes.toArray(byte[][]::new)));
      update.executeUpdate();
    }
  }
}
