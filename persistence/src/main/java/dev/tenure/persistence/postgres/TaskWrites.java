package dev.tenure.persistence.postgres;

import dev.tenure.persistence.codec.Apart;
import dev.tenure.persistence.key.KeyText;
import dev.tenure.persistence.task.TaskId;
import dev.tenure.persistence.task.TaskLimits;
import dev.tenure.persistence.task.TaskOffer;
import dev.tenure.persistence.task.TaskState;
import dev.tenure.persistence.visibility.StoredTime;
import dev.tenure.workflow.ActivityRouting.RateLimit;
import dev.tenure.workflow.Trace;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.operation.ActivityCall.Queueing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The changes of {@code task} in a commit. */
final class TaskWrites {
  /**
   * One statement locks all tasks that the transaction removes or replaces, in the order of their
   * ids. The transactions that take the reports of workers lock the same tasks in the same order;
   * with another order two transactions could wait for each other.
   */
  static final SideStatement LOCK =
      new SideStatement(
          "task-lock",
          SideStatement.WriteOrder.LOCK_TASKS,
          """
          SELECT count(*) FROM (
            SELECT * FROM unnest(?::text[], ?::text[]) AS u (workflow_id, operation_id)
            ORDER BY u.workflow_id COLLATE "C", u.operation_id COLLATE "C") a
          CROSS JOIN LATERAL (
            SELECT 1 FROM task t
            WHERE t.workflow_id = a.workflow_id AND t.operation_id = a.operation_id LIMIT 1
            FOR UPDATE) locked
          """,
          List.of("text", "text"),
          Optional.of(
              """
              SELECT 1 FROM task WHERE workflow_id = ? AND operation_id = ? FOR UPDATE
              """));

  /** The rows are locked, so they are where the statement finds them. */
  static final SideStatement REMOVE =
      new SideStatement(
          "task-remove",
          SideStatement.WriteOrder.REMOVE_TASKS,
          """
          DELETE FROM task d USING (
            SELECT v.part, v.row
            FROM unnest(?::text[], ?::text[]) AS a (workflow_id, operation_id)
            CROSS JOIN LATERAL (
              SELECT t.tableoid AS part, t.ctid AS row FROM task t
              WHERE t.workflow_id = a.workflow_id AND t.operation_id = a.operation_id
              LIMIT 1) v) f
          WHERE d.ctid = f.row AND d.tableoid = f.part
          """,
          List.of("text", "text"),
          Optional.of("DELETE FROM task WHERE workflow_id = ? AND operation_id = ?\n"));

  /** In the order of the ids within each workflow, as other transactions lock. */
  static final SideStatement LOCK_ALL =
      new SideStatement(
          "task-lock-all",
          SideStatement.WriteOrder.LOCK_TASKS,
          """
          SELECT count(*) FROM unnest(?::text[]) AS a (workflow_id)
          CROSS JOIN LATERAL (
            SELECT 1 FROM task t
            WHERE t.workflow_id = a.workflow_id ORDER BY t.operation_id FOR UPDATE) locked
          """,
          List.of("text"));

  /** The rows are locked, so they are where the statement finds them. */
  static final SideStatement REMOVE_ALL =
      new SideStatement(
          "task-remove-all",
          SideStatement.WriteOrder.REMOVE_TASKS,
          """
          DELETE FROM task d USING (
            SELECT v.part, v.row FROM unnest(?::text[]) AS a (workflow_id)
            CROSS JOIN LATERAL (
              SELECT t.tableoid AS part, t.ctid AS row FROM task t
              WHERE t.workflow_id = a.workflow_id ORDER BY t.operation_id) v) f
          WHERE d.ctid = f.row AND d.tableoid = f.part
          """,
          List.of("text"));

  /** The first attempt: there is no earlier one whose place it could take. */
  static final SideStatement OFFER =
      new SideStatement(
          "task-offer",
          SideStatement.WriteOrder.OFFER_TASKS,
          """
          INSERT INTO task (workflow_id, operation_id, shard, attempt, activity, idempotency_key,
            repeatable, queue, urgency, fairness_key, resource, scope, at_once_max, rate_calls,
            rate_span_us, visibility_us, heartbeat_us, attempt_limit_us, deadline, trace, input,
            due_at)
          SELECT o.workflow_id, o.operation_id, o.shard, o.attempt, o.activity, o.idempotency_key,
            o.repeatable = 1, o.queue, o.urgency, o.fairness_key, o.resource, o.scope,
            o.at_once_max, o.rate_calls, o.rate_span_us, o.visibility_us, o.heartbeat_us,
            o.attempt_limit_us, o.deadline, o.trace, o.input, o.deadline
          FROM unnest(?::text[], ?::text[], ?::int4[], ?::int4[], ?::text[], ?::text[], ?::int4[],
            ?::text[], ?::int4[], ?::text[], ?::text[], ?::text[], ?::int4[], ?::int4[], ?::int8[],
            ?::int8[], ?::int8[], ?::int8[], ?::timestamptz[], ?::text[], ?::bytea[])
            AS o (workflow_id, operation_id, shard, attempt, activity, idempotency_key, repeatable,
              queue, urgency, fairness_key, resource, scope, at_once_max, rate_calls, rate_span_us,
              visibility_us, heartbeat_us, attempt_limit_us, deadline, trace, input)
          ON CONFLICT (workflow_id, operation_id) DO NOTHING
          """,
          columnTypes());

  /**
   * A later attempt takes the place of an earlier one, which keeps only what its worker said last:
   * that is for the next worker. It waits, or counts as lost until something is proven.
   */
  static final SideStatement OFFER_LATER =
      new SideStatement(
          "task-offer-later",
          SideStatement.WriteOrder.OFFER_TASKS,
          """
          INSERT INTO task AS t (workflow_id, operation_id, shard, attempt, activity,
            idempotency_key, repeatable, queue, urgency, fairness_key, resource, scope, at_once_max,
            rate_calls, rate_span_us, visibility_us, heartbeat_us, attempt_limit_us, deadline,
            trace, input, state, due_at)
          SELECT o.workflow_id, o.operation_id, o.shard, o.attempt, o.activity, o.idempotency_key,
            o.repeatable = 1, o.queue, o.urgency, o.fairness_key, o.resource, o.scope,
            o.at_once_max, o.rate_calls, o.rate_span_us, o.visibility_us, o.heartbeat_us,
            o.attempt_limit_us, o.deadline, o.trace, o.input, o.state,
            CASE o.state WHEN 'waiting' THEN o.deadline END
          FROM unnest(?::text[], ?::text[], ?::int4[], ?::int4[], ?::text[], ?::text[], ?::int4[],
            ?::text[], ?::int4[], ?::text[], ?::text[], ?::text[], ?::int4[], ?::int4[], ?::int8[],
            ?::int8[], ?::int8[], ?::int8[], ?::timestamptz[], ?::text[], ?::bytea[], ?::text[])
            AS o (workflow_id, operation_id, shard, attempt, activity, idempotency_key, repeatable,
              queue, urgency, fairness_key, resource, scope, at_once_max, rate_calls, rate_span_us,
              visibility_us, heartbeat_us, attempt_limit_us, deadline, trace, input, state)
          ON CONFLICT (workflow_id, operation_id) DO UPDATE SET number = excluded.number,
            offered_at = excluded.offered_at, due_at = excluded.due_at, attempt_until = NULL,
            deadline = excluded.deadline, visibility_us = excluded.visibility_us,
            heartbeat_us = excluded.heartbeat_us, attempt_limit_us = excluded.attempt_limit_us,
            rate_span_us = excluded.rate_span_us, attempt = excluded.attempt, delivery = 1,
            losses = 0, urgency = excluded.urgency, at_once_max = excluded.at_once_max,
            rate_calls = excluded.rate_calls, repeatable = excluded.repeatable, state = excluded.state,
            queue = excluded.queue, fairness_key = excluded.fairness_key,
            activity = excluded.activity, resource = excluded.resource, scope = excluded.scope,
            idempotency_key = excluded.idempotency_key, worker = NULL, trace = excluded.trace,
            token = NULL, input = excluded.input, outcome = NULL
          WHERE t.attempt < excluded.attempt
          """,
          Stream.concat(columnTypes().stream(), Stream.of("text")).toList());

  /**
   * Goes with the change of the workflow's row, and runs after it, when the row is locked. No
   * outcome can be slept over. {@link TaskExpiry} makes the workflow of an outcome due that is not
   * taken, and locks the workflow's row before the task. Either that transaction was over before
   * this one got the lock, and this statement sees the outcome; or it gets the lock after this one,
   * and then sets the time itself. A lost worker is found in the same order. Tasks that this commit
   * removes are gone already.
   */
  static final SideStatement AWAIT =
      new SideStatement(
          "task-await",
          SideStatement.WriteOrder.AWAIT_TASKS,
          """
          UPDATE workflow w SET wake_at = least(w.wake_at, clock_timestamp())
          FROM (
            SELECT v.part, v.row FROM unnest(?::text[]) AS a (id)
            CROSS JOIN LATERAL (
              SELECT u.tableoid AS part, u.ctid AS row FROM workflow u
              WHERE u.id = a.id LIMIT 1) v
            WHERE (
              SELECT true FROM task t
              WHERE t.workflow_id = a.id AND t.state IN ('done', 'lost') LIMIT 1)) c
          WHERE w.ctid = c.row AND w.tableoid = c.part
          """,
          List.of("text"));

  private TaskWrites() {}

  private static List<String> columnTypes() {
    return List.of(
        "text",
        "text",
        "int4",
        "int4",
        "text",
        "text",
        "int4",
        "text",
        "int4",
        "text",
        "text",
        "text",
        "int4",
        "int4",
        "int8",
        "int8",
        "int8",
        "int8",
        "timestamptz",
        "text",
        "bytea");
  }

  /** A large input is stored by the commit itself, whose journal refers to it, too. */
  static List<SideValues> offer(TaskOffer offer) {
    if (offer.attempt() > 1) return later(offer, TaskState.WAITING);
    List<Object> columns =
        columns(offer, Apart.besideJournal(offer.id().workflow(), offer.shard()));
    return List.of(SideValues.of(OFFER, columns.toArray()));
  }

  /** Its task counts as lost, and has to be looked at. */
  static List<SideValues> holdBack(TaskOffer offer) {
    return later(offer, TaskState.LOST);
  }

  private static List<SideValues> later(TaskOffer offer, TaskState state) {
    Apart storedByCommit = Apart.besideJournal(offer.id().workflow(), offer.shard());
    return List.of(lock(offer.id()), later(offer, state, storedByCommit));
  }

  /**
   * @param apart receives what has to be stored in {@code payload}
   */
  static SideValues later(TaskOffer offer, TaskState state, Apart apart) {
    List<Object> columns = columns(offer, apart);
    columns.add(state.word());
    return SideValues.of(OFFER_LATER, columns.toArray());
  }

  private static List<Object> columns(TaskOffer offer, Apart apart) {
    Queueing queueing = offer.queueing();
    TaskLimits limits = TaskLimits.of(offer);
    Optional<RateLimit> rate = queueing.rate();
    return new ArrayList<>(
        Arrays.asList(
            KeyText.column(offer.id().workflow().value()),
            KeyText.column(offer.id().operation()),
            offer.shard(),
            offer.attempt(),
            KeyText.column(offer.activity()),
            offer.idempotencyKey().map(KeyText::column).orElse(null),
            offer.repeatable() ? 1 : 0,
            KeyText.column(queueing.queue()),
            -queueing.priority(),
            KeyText.column(queueing.fairnessKey()),
            KeyText.column(queueing.resource()),
            KeyText.column(limits.scope()),
            queueing.atOnceMax().orElse(null),
            rate.map(RateLimit::callsMax).orElse(null),
            rate.map(RateLimit::span).map(TaskWrites::micros).orElse(null),
            micros(queueing.visibilityTimeout()),
            offer.heartbeatTimeout().map(TaskWrites::micros).orElse(null),
            offer.attemptLimit().map(TaskWrites::micros).orElse(null),
            offer.deadline().map(StoredTime::ceiling).map(Object::toString).orElse(null),
            offer.trace().map(Trace::traceparent).orElse(null),
            StoredValues.of(offer.input(), apart)));
  }

  /** At least one: a span of no time at all would be over before it began. */
  private static long micros(Duration span) {
    return Math.max(1, span.toSeconds() * 1_000_000 + span.toNanosPart() / 1_000);
  }

  static List<SideValues> remove(TaskId id) {
    return List.of(
        lock(id),
        SideValues.of(
            REMOVE, KeyText.column(id.workflow().value()), KeyText.column(id.operation())));
  }

  static List<SideValues> removeAll(WorkflowId id) {
    String workflow = KeyText.column(id.value());
    return List.of(SideValues.of(LOCK_ALL, workflow), SideValues.of(REMOVE_ALL, workflow));
  }

  private static SideValues lock(TaskId id) {
    return SideValues.of(
        LOCK, KeyText.column(id.workflow().value()), KeyText.column(id.operation()));
  }

  static SideValues await(WorkflowId id) {
    return SideValues.of(AWAIT, KeyText.column(id.value()));
  }
}
