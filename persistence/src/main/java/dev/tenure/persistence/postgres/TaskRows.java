package dev.tenure.persistence.postgres;

import dev.tenure.persistence.key.KeyText;
import dev.tenure.persistence.payload.Payloads;
import dev.tenure.persistence.task.HeldTask;
import dev.tenure.persistence.task.TaskId;
import dev.tenure.persistence.task.TaskOffer;
import dev.tenure.persistence.task.TaskStanding;
import dev.tenure.persistence.task.TaskState;
import dev.tenure.workflow.ActivityRouting.RateLimit;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.Trace;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.operation.ActivityCall.Queueing;
import java.sql.Array;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Optional;

/** Rows of {@code task} as they are read. */
final class TaskRows {
  private final Payloads payloads;

  TaskRows(Payloads payloads) {
    this.payloads = payloads;
  }

  static TaskId id(ResultSet row) throws SQLException {
    return new TaskId(
        new WorkflowId(KeyText.ofColumn(row.getString("workflow_id"))),
        KeyText.ofColumn(row.getString("operation_id")));
  }

  TaskOffer offer(ResultSet row) throws SQLException {
    return new TaskOffer(
        id(row),
        row.getInt("shard"),
        row.getInt("attempt"),
        KeyText.ofColumn(row.getString("activity")),
        Optional.ofNullable(row.getString("idempotency_key")).map(KeyText::ofColumn),
        row.getBoolean("repeatable"),
        queueing(row),
        StoredValues.payload(row.getBytes("input"), payloads),
        span(row, "heartbeat_us"),
        span(row, "attempt_limit_us"),
        time(row, "deadline"),
        Optional.ofNullable(row.getString("trace")).flatMap(Trace::of));
  }

  private static Queueing queueing(ResultSet row) throws SQLException {
    return new Queueing(
        KeyText.ofColumn(row.getString("queue")),
        -row.getInt("urgency"),
        KeyText.ofColumn(row.getString("fairness_key")),
        span(row, "visibility_us").orElseThrow(),
        KeyText.ofColumn(row.getString("resource")),
        atOnceMax(row),
        rate(row));
  }

  static Optional<Integer> atOnceMax(ResultSet row) throws SQLException {
    return Optional.ofNullable(row.getObject("at_once_max", Integer.class));
  }

  static Optional<RateLimit> rate(ResultSet row) throws SQLException {
    Integer calls = row.getObject("rate_calls", Integer.class);
    if (calls == null) return Optional.empty();
    return Optional.of(new RateLimit(calls, span(row, "rate_span_us").orElseThrow()));
  }

  HeldTask held(ResultSet row) throws SQLException {
    return held(row, Optional.ofNullable(row.getBytes("outcome")));
  }

  /**
   * The task without its outcome, which plays no part in what the end of its time comes to. One
   * whose outcome cannot be read must not hold up the scan that looks after all others.
   */
  HeldTask late(ResultSet row) throws SQLException {
    return held(row, Optional.empty());
  }

  private HeldTask held(ResultSet row, Optional<byte[]> outcome) throws SQLException {
    return new HeldTask(
        TaskState.of(row.getString("state")),
        row.getInt("attempt"),
        row.getInt("delivery"),
        row.getInt("losses"),
        row.getBoolean("repeatable"),
        silence(row),
        time(row, "due_at"),
        time(row, "attempt_until"),
        time(row, "deadline"),
        Optional.ofNullable(row.getBytes("token")),
        outcome.map(stored -> StoredValues.outcome(stored, payloads)));
  }

  private static Duration silence(ResultSet row) throws SQLException {
    Optional<Duration> heartbeat = span(row, "heartbeat_us");
    return heartbeat.isPresent() ? heartbeat.get() : span(row, "visibility_us").orElseThrow();
  }

  Optional<Payload> details(ResultSet row) throws SQLException {
    return Optional.ofNullable(row.getBytes("details"))
        .map(stored -> StoredValues.payload(stored, payloads));
  }

  TaskStanding standing(ResultSet row) throws SQLException {
    HeldTask task = held(row);
    return switch (task.state()) {
      case WAITING -> new TaskStanding.Waiting(task.attempt());
      case TAKEN -> new TaskStanding.Taken(task.attempt(), worker(row), task.dueAt().orElseThrow());
      case LOST ->
          new TaskStanding.Lost(task.attempt(), worker(row), task.isTimedOut(), task.dueAt());
      case DONE -> new TaskStanding.Done(task.attempt(), task.outcome().orElseThrow());
    };
  }

  /** Nothing when the task is held back, and was with none. */
  private static String worker(ResultSet row) throws SQLException {
    String worker = row.getString("worker");
    return worker == null ? "" : KeyText.ofColumn(worker);
  }

  static Optional<Instant> time(ResultSet row, String column) throws SQLException {
    return Optional.ofNullable(row.getObject(column, OffsetDateTime.class))
        .map(OffsetDateTime::toInstant);
  }

  private static Optional<Duration> span(ResultSet row, String column) throws SQLException {
    return Optional.ofNullable(row.getObject(column, Long.class))
        .map(us -> Duration.of(us, ChronoUnit.MICROS));
  }

  // --- ids as parameters

  static Array workflows(Connection c, Collection<TaskId> ids) throws SQLException {
    return c.createArrayOf(
        "text", ids.stream().map(id -> KeyText.column(id.workflow().value())).toArray());
  }

  static Array operations(Connection c, Collection<TaskId> ids) throws SQLException {
    return c.createArrayOf(
        "text", ids.stream().map(id -> KeyText.column(id.operation())).toArray());
  }
}
