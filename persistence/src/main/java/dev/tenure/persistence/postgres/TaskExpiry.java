package dev.tenure.persistence.postgres;

import dev.tenure.persistence.codec.Apart;
import dev.tenure.persistence.key.KeyText;
import dev.tenure.persistence.task.HeldTask;
import dev.tenure.persistence.task.HeldTask.Expiry;
import dev.tenure.persistence.task.TaskId;
import dev.tenure.persistence.task.Tasks.Expired;
import dev.tenure.workflow.WorkflowId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Looks after tasks whose time is over. */
final class TaskExpiry {
  private final TaskRows rows;

  TaskExpiry(TaskRows rows) {
    this.rows = rows;
  }

  /** Without a lock: the rows of workflows are to be locked before those of tasks. */
  static final String OVER =
      """
      SELECT t.*, clock_timestamp() AS at FROM (
        (SELECT * FROM task s WHERE s.state = 'taken' AND s.due_at <= now()
         ORDER BY s.due_at LIMIT ?)
        UNION ALL
        (SELECT * FROM task s WHERE s.state = 'waiting' AND s.due_at <= now()
         ORDER BY s.due_at LIMIT ?)
        UNION ALL
        (SELECT * FROM task s WHERE s.state = 'done' AND s.due_at <= now()
         ORDER BY s.due_at LIMIT ?)) t
      ORDER BY t.due_at LIMIT ?
      """;

  /** SKIP LOCKED: what a worker reports of, or a commit removes, needs no look. */
  static final String LOCK =
      """
      SELECT t.*, clock_timestamp() AS at FROM (
        SELECT * FROM unnest(?::text[], ?::text[]) AS u (workflow, operation)
        ORDER BY u.workflow COLLATE "C", u.operation COLLATE "C") a
      CROSS JOIN LATERAL (
        SELECT * FROM task s
        WHERE s.workflow_id = a.workflow AND s.operation_id = a.operation LIMIT 1
        FOR UPDATE SKIP LOCKED) t
      """;

  Expired expire(Connection c, int limit) throws SQLException {
    List<TaskId> over = new ArrayList<>();
    Set<WorkflowId> workflows = new LinkedHashSet<>();
    try (PreparedStatement query = c.prepareStatement(OVER)) {
      for (int i = 1; i <= 4; i++) query.setInt(i, limit);
      try (ResultSet row = query.executeQuery()) {
        while (row.next()) {
          TaskId id = TaskRows.id(row);
          over.add(id);
          Instant now = TaskRows.time(row, "at").orElseThrow();
          if (rows.late(row).needsLook(now)) workflows.add(id.workflow());
        }
      }
    }
    if (over.isEmpty()) return new Expired(List.of(), Set.of());
    DueWorkflows.lock(c, workflows);
    return decide(c, over, workflows);
  }

  private Expired decide(Connection c, List<TaskId> over, Set<WorkflowId> locked)
      throws SQLException {
    List<TaskId> again = new ArrayList<>();
    List<TaskId> lost = new ArrayList<>();
    List<TaskId> ended = new ArrayList<>();
    List<byte[]> outcomes = new ArrayList<>();
    List<TaskId> untaken = new ArrayList<>();
    Set<String> queues = new TreeSet<>();
    try (PreparedStatement query = c.prepareStatement(LOCK)) {
      query.setArray(1, TaskRows.workflows(c, over));
      query.setArray(2, TaskRows.operations(c, over));
      try (ResultSet row = query.executeQuery()) {
        while (row.next()) {
          TaskId id = TaskRows.id(row);
          HeldTask task = rows.late(row);
          Instant now = TaskRows.time(row, "at").orElseThrow();
          // It has become another attempt's meanwhile: the next call sees to it.
          if (task.needsLook(now) && !locked.contains(id.workflow())) continue;
          switch (task.expire(now)) {
            case Expiry.NotYet e -> {}
            case Expiry.Again e -> {
              again.add(id);
              queues.add(KeyText.ofColumn(row.getString("queue")));
            }
            case Expiry.Lost e -> lost.add(id);
            case Expiry.Untaken e -> untaken.add(id);
            case Expiry.Over e -> {
              ended.add(id);
              outcomes.add(StoredValues.of(e.outcome(), Apart.besideJournal(id.workflow(), 0)));
            }
          }
        }
      }
    }
    update(c, OFFER_AGAIN, again);
    update(c, LOSE, lost);
    update(c, FORGET_DUE, untaken);
    if (!ended.isEmpty()) TaskHearing.end(c, ended, outcomes);
    List<TaskId> look = new ArrayList<>(lost);
    look.addAll(ended);
    look.addAll(untaken);
    DueWorkflows.makeDue(c, look.stream().map(TaskId::workflow).toList());
    return new Expired(List.copyOf(look), queues);
  }

  /** The rows are locked, so they are where the statement finds them. */
  static final String OFFER_AGAIN =
      """
      UPDATE task t SET state = 'waiting', delivery = t.delivery + 1, losses = t.losses + 1,
        due_at = t.deadline, attempt_until = NULL, worker = NULL, token = NULL
      FROM (
        SELECT v.part, v.row FROM unnest(?::text[], ?::text[]) AS a (workflow_id, operation_id)
        CROSS JOIN LATERAL (
          SELECT s.tableoid AS part, s.ctid AS row FROM task s
          WHERE s.workflow_id = a.workflow_id AND s.operation_id = a.operation_id LIMIT 1) v) c
      WHERE t.ctid = c.row AND t.tableoid = c.part
      """;

  /**
   * The token stays: a late worker may still say how it came out. So does the end that it missed:
   * that tells a silent worker from an attempt that took too long.
   */
  static final String LOSE =
      """
      UPDATE task t SET state = 'lost'
      FROM (
        SELECT v.part, v.row FROM unnest(?::text[], ?::text[]) AS a (workflow_id, operation_id)
        CROSS JOIN LATERAL (
          SELECT s.tableoid AS part, s.ctid AS row FROM task s
          WHERE s.workflow_id = a.workflow_id AND s.operation_id = a.operation_id LIMIT 1) v) c
      WHERE t.ctid = c.row AND t.tableoid = c.part
      """;

  /** Its workflow is due from now on, and stays so until its owner has taken the outcome. */
  static final String FORGET_DUE =
      """
      UPDATE task t SET due_at = NULL
      FROM (
        SELECT v.part, v.row FROM unnest(?::text[], ?::text[]) AS a (workflow_id, operation_id)
        CROSS JOIN LATERAL (
          SELECT s.tableoid AS part, s.ctid AS row FROM task s
          WHERE s.workflow_id = a.workflow_id AND s.operation_id = a.operation_id LIMIT 1) v) c
      WHERE t.ctid = c.row AND t.tableoid = c.part
      """;

  private static void update(Connection c, String sql, List<TaskId> ids) throws SQLException {
    if (ids.isEmpty()) return;
    try (PreparedStatement update = c.prepareStatement(sql)) {
      update.setArray(1, TaskRows.workflows(c, ids));
      update.setArray(2, TaskRows.operations(c, ids));
      update.executeUpdate();
    }
  }

  /**
   * A resource that was not used lately and whose rate has all of its calls says nothing: its row
   * would be made anew. Read from where the last call ended, so that no index on the time is
   * needed. SKIP LOCKED: a row that is locked is in use.
   */
  static final String FORGET_RESOURCES =
      """
      WITH page AS MATERIALIZED (
        SELECT r.scope, r.full_at < clock_timestamp() - interval '1 minute' AS old
        FROM task_resource r WHERE r.scope > ? ORDER BY r.scope LIMIT ?
      ), removed AS (
        DELETE FROM task_resource WHERE scope = ANY (ARRAY(
          SELECT v.scope FROM page p CROSS JOIN LATERAL (
            SELECT r.scope FROM task_resource r
            WHERE r.scope = p.scope AND r.full_at < clock_timestamp() - interval '1 minute'
            LIMIT 1 FOR UPDATE SKIP LOCKED) v
          WHERE p.old))
      )
      SELECT p.scope FROM page p ORDER BY p.scope DESC LIMIT 1
      """;

  /** The same for queues from which nothing was taken for a day. */
  static final String FORGET_QUEUES =
      """
      WITH page AS MATERIALIZED (
        SELECT q.name, q.taken_at < clock_timestamp() - interval '1 day' AS old
        FROM task_queue q WHERE q.name > ? ORDER BY q.name LIMIT ?
      ), removed AS (
        DELETE FROM task_queue WHERE name = ANY (ARRAY(
          SELECT v.name FROM page p CROSS JOIN LATERAL (
            SELECT q.name FROM task_queue q
            WHERE q.name = p.name AND q.taken_at < clock_timestamp() - interval '1 day'
            LIMIT 1 FOR UPDATE SKIP LOCKED) v
          WHERE p.old))
      )
      SELECT p.name FROM page p ORDER BY p.name DESC LIMIT 1
      """;

  /** Returns where the next call goes on: at the beginning when this one came to the end. */
  static String forget(Connection c, String sql, String from, int limit) throws SQLException {
    try (PreparedStatement statement = c.prepareStatement(sql)) {
      statement.setString(1, from);
      statement.setInt(2, limit);
      try (ResultSet row = statement.executeQuery()) {
        String last = row.next() ? row.getString(1) : null;
        return last == null ? "" : last;
      }
    }
  }
}
