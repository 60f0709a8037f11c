package dev.tenure.http.worker;

import static dev.tenure.http.access.Scope.WORKER;
import static dev.tenure.http.fault.ErrorCode.QUEUE_FORBIDDEN;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tenure.http.api.Answer;
import dev.tenure.http.api.Call;
import dev.tenure.http.api.Operation;
import dev.tenure.http.fault.ApiFault;
import dev.tenure.http.json.Json;
import dev.tenure.http.schema.Schema.ListOf;
import dev.tenure.http.schema.Schema.Text;
import dev.tenure.http.schema.Schema.Whole;
import dev.tenure.http.workflow.AnswerLimits;
import dev.tenure.http.workflow.Engine;
import dev.tenure.persistence.task.TakenTask;
import dev.tenure.persistence.task.Tasks;
import dev.tenure.sharding.task.TaskDesk;
import dev.tenure.sharding.task.WaitingPoll;
import dev.tenure.workflow.ActivityRouting;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

/** Taking tasks from a queue, with a wait for some to come. */
final class TakeOperation {
  private final Engine engine;
  private final AnswerLimits limits;

  TakeOperation(Engine engine, AnswerLimits limits) {
    this.engine = engine;
    this.limits = limits;
  }

  Operation take() {
    return Operation.post(
            "tasks.take",
            "/api/v1/queues/{queue}/tasks/take",
            "Takes tasks from a queue, and waits for some to come")
        .scopes(WORKER)
        .alone()
        .path("queue", WorkerShapes.QUEUE, "")
        .required(
            "worker",
            new Text("worker", 1, WorkerShapes.WORKER_BYTES_MAX),
            "How the worker calls itself, for people: a host and a process.")
        .optional(
            "activities",
            new ListOf(WorkerShapes.ACTIVITY, WorkerShapes.ACTIVITIES_MAX),
            "Those that it can run; all of the queue when absent or empty.")
        .optional("max", new Whole(1, Tasks.TAKE_MAX), "How many tasks at most; 1 when absent.")
        .optional(
            "waitSeconds",
            new Whole(0, TaskDesk.WAIT_MAX.toSeconds()),
            "How long to wait when there is none; 0 when absent.")
        .replies(200, "", WorkerShapes.TAKEN)
        .fails(QUEUE_FORBIDDEN)
        .handledBy(this::take);
  }

  private CompletionStage<Answer> take(Call call) {
    String queue = call.textOf("queue");
    requireAllowed(call, queue);
    Tasks.Poll poll =
        new Tasks.Poll(
            call.textOf("worker"), activities(call), call.whole("max").orElse(1L).intValue());
    Duration wait = limits.waiting(call.whole("waitSeconds").orElse(0L));
    // The desk has limits of its own for those that wait.
    if (!wait.isZero()) call.request().pass().waits();
    WaitingPoll waiting = engine.tasks().take(queue, poll, wait);
    // A worker that is gone would lose what is taken for it until its visibility timeout.
    Runnable forget = call.request().connection().whenLost(waiting::withdraw);
    return waiting
        .tasks()
        .whenComplete((tasks, failure) -> forget.run())
        .thenApply(TakeOperation::answer);
  }

  private static void requireAllowed(Call call, String queue) {
    if (!call.caller().mayTakeFrom(queue))
      throw ApiFault.of(
              QUEUE_FORBIDDEN,
              "This credential may take tasks from the queues %s only."
                  .formatted(call.caller().queues().orElseThrow().stream().sorted().toList()))
          .with("queue", queue);
    if (queue.startsWith(ActivityRouting.RESERVED))
      throw ApiFault.of(
              QUEUE_FORBIDDEN,
              "Queues that begin with %s are the engine's: its nodes take from them."
                  .formatted(ActivityRouting.RESERVED))
          .with("queue", queue);
  }

  private static Set<String> activities(Call call) {
    return call
        .input("activities")
        .map(list -> ((Json.Arr) list).items())
        .orElse(List.of())
        .stream()
        .map(name -> ((Json.Text) name).value())
        .collect(Collectors.toSet());
  }

  private static Answer answer(List<TakenTask> tasks) {
    ObjectNode node = TaskJson.object();
    ArrayNode all = node.putArray("tasks");
    tasks.forEach(task -> all.add(TaskJson.of(task)));
    return Answer.ok(node);
  }
}
