package dev.tenure.http.worker;

import static dev.tenure.workflow.kernel.Limits.PAYLOAD_BYTES_MAX;

import dev.tenure.http.schema.Schema;
import dev.tenure.http.schema.Schema.Anything;
import dev.tenure.http.schema.Schema.Choice;
import dev.tenure.http.schema.Schema.Flag;
import dev.tenure.http.schema.Schema.ListOf;
import dev.tenure.http.schema.Schema.Moment;
import dev.tenure.http.schema.Schema.Text;
import dev.tenure.http.schema.Schema.Whole;
import dev.tenure.http.schema.Shape;
import dev.tenure.persistence.task.Tasks;
import dev.tenure.sharding.task.TaskTokenText;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.ActivityRouting;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.operation.OperationId;
import java.util.List;

/** The schemas of what workers send and get. */
final class WorkerShapes {
  /** How a worker calls itself. */
  static final int WORKER_BYTES_MAX = 256;

  /** Activities that one poll names. */
  static final int ACTIVITIES_MAX = 100;

  /** Reports in one request. */
  static final int REPORTS_MAX = 100;

  /** What a worker says of its progress: it is written with every heartbeat that has it. */
  static final int DETAILS_BYTES_MAX = 64 * 1024;

  /** Of a failure's message and stack; what is kept of them is cut further, visibly. */
  static final int LONG_BYTES_MAX = 64 * 1024;

  private static final int KEY_CHARS_MAX = 1 << 14;

  static final Schema QUEUE = new Text("queue", 1, ActivityRouting.QUEUE_BYTES_MAX);
  static final Schema ACTIVITY = new Text("activity", 1, ActivityDefinition.NAME_BYTES_MAX);
  static final Schema TOKEN = new Text("token", 1, TaskTokenText.CHARS_MAX);
  static final Schema WORKFLOW = new Text("workflowId", 1, WorkflowId.BYTES_MAX);
  static final Schema OPERATION = new Text("operationId", 1, OperationId.BYTES_MAX);
  static final Schema RUN = new Text("runId", 1, 256);
  static final Schema COUNT = new Whole(0, Long.MAX_VALUE);
  static final Schema MILLIS = new Whole(0, Long.MAX_VALUE);
  static final Schema TIME = new Moment();
  static final Schema WORD = new Text("text", 0, 1 << 20);
  static final Schema RESULT = new Anything(PAYLOAD_BYTES_MAX);
  static final Schema DETAILS = new Anything(DETAILS_BYTES_MAX);
  private static final Schema ANY = new Anything(0);
  private static final Schema KEY = new Text("key", 1, KEY_CHARS_MAX);

  static final Schema TASK =
      Shape.named("Task")
          .required("token", TOKEN, "Send it with every report on this task. Keep it secret.")
          .required("workflowId", WORKFLOW, "")
          .required("runId", RUN, "")
          .required("operationId", OPERATION, "")
          .required("attempt", COUNT, "Of the call's retry policy; counts from 1.")
          .required("delivery", COUNT, "How often this attempt was handed out; counts from 1.")
          .required("activity", ACTIVITY, "The activity to run.")
          .required("input", ANY, "As the workflow gave it; null when it gave none.")
          .required(
              "idempotencyKey",
              KEY,
              "The same over all attempts and deliveries: other systems recognise a repetition by"
                  + " it.")
          .required("attemptKey", KEY, "Another one for each attempt.")
          .optional("declaredKey", KEY, "The key that the workflow's code gave the call.")
          .optional("deadline", TIME, "When nobody waits for the result any more.")
          .required("visibleUntil", TIME, "When the worker counts as lost unless it reports.")
          .required("heartbeatTimeoutMs", MILLIS, "How long the worker may be silent, from now on.")
          .optional("attemptTimeoutMs", MILLIS, "How long the worker may have it, from now on.")
          .optional("details", ANY, "What the last delivery before said with a heartbeat.")
          .optional("traceparent", WORD, "The trace that the workflow belongs to.")
          .schema();

  static final Schema TAKEN =
      Shape.named("TakenTasks")
          .required("tasks", new ListOf(TASK, Tasks.TAKE_MAX), "None when none came in time.")
          .schema();

  private static final Schema REJECTION =
      Shape.named("TaskRejection")
          .required("code", WORD, "The word for machines.")
          .required("title", WORD, "")
          .required("detail", WORD, "What became of the task, and what to do.")
          .schema();

  static final Schema ANSWERS =
      Shape.named("TaskAnswers")
          .required(
              "tasks",
              new ListOf(
                  Shape.named("TaskAnswer")
                      .required("accepted", new Flag(), "False when the report changed nothing.")
                      .optional("visibleUntil", TIME, "Until when the worker has the task.")
                      .optional("error", REJECTION, "Why it was not accepted.")
                      .schema(),
                  REPORTS_MAX),
              "One for each task of the request, in its order.")
          .schema();

  static final Schema QUEUE_NAMES =
      Shape.named("Queues")
          .required(
              "queues",
              new ListOf(
                  Shape.named("QueueName").required("queue", QUEUE, "").schema(),
                  QueueOperations.QUEUES_MAX),
              "Those that have tasks, by name.")
          .schema();

  static final Schema QUEUE_VIEW =
      Shape.named("Queue")
          .required("queue", QUEUE, "")
          .required("waiting", COUNT, "Tasks that wait for a worker.")
          .required("taken", COUNT, "Tasks that a worker has.")
          .required("lost", COUNT, "Tasks whose worker is lost and whose effect is not known yet.")
          .optional("oldestAt", TIME, "Since when the oldest of those that wait has been there.")
          .required(
              "keys",
              new ListOf(
                  Shape.named("QueueKey")
                      .required("key", WORD, "Empty for the tasks without one.")
                      .required("waiting", COUNT, "")
                      .required("taken", COUNT, "")
                      .schema(),
                  QueueOperations.KEYS_MAX),
              "The fairness keys with most waiting tasks.")
          .schema();

  static final Schema STANDING =
      Shape.named("TaskStanding")
          .required("workflowId", WORKFLOW, "")
          .required("runId", RUN, "")
          .required("operationId", OPERATION, "")
          .required("attempt", COUNT, "")
          .required("state", new Choice(List.of("waiting", "taken", "lost", "done")), "")
          .optional("position", COUNT, "How many tasks of its queue come before it.")
          .optional("worker", WORD, "The worker that has it, or had it.")
          .optional("visibleUntil", TIME, "When that worker counts as lost.")
          .schema();

  private WorkerShapes() {}
}
