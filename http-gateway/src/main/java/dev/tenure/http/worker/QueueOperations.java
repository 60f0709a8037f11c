package dev.tenure.http.worker;

import static dev.tenure.http.access.Scope.OPERATOR;
import static dev.tenure.http.fault.ErrorCode.TASK_NOT_FOUND;
import static dev.tenure.http.fault.ErrorCode.WORKFLOW_NOT_FOUND;
import static dev.tenure.http.fault.ErrorCode.WORKFLOW_UNREACHABLE;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tenure.http.api.Answer;
import dev.tenure.http.api.Call;
import dev.tenure.http.api.Operation;
import dev.tenure.http.fault.ApiFault;
import dev.tenure.http.schema.Schema.Whole;
import dev.tenure.http.workflow.Engine;
import dev.tenure.persistence.task.TaskId;
import dev.tenure.persistence.task.TaskStanding;
import dev.tenure.persistence.task.Tasks;
import dev.tenure.sharding.message.Description;
import dev.tenure.workflow.WorkflowId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** What people see of queues and of single tasks in them. */
final class QueueOperations {
  /** Queues in one answer. */
  static final int QUEUES_MAX = 1_000;

  /** Fairness keys in one answer. */
  static final int KEYS_MAX = 100;

  private static final long KEYS_USUAL = 10;

  private final Engine engine;

  QueueOperations(Engine engine) {
    this.engine = engine;
  }

  List<Operation> all() {
    return List.of(list(), get(), standing());
  }

  private Tasks tasks() {
    return engine.storage().tasks();
  }

  private static <T> CompletionStage<T> blocking(Supplier<T> question) {
    return CompletableFuture.supplyAsync(question, task -> Thread.ofVirtual().start(task));
  }

  private Operation list() {
    return Operation.get("queues.list", "/api/v1/queues", "The queues that have tasks")
        .scopes(OPERATOR)
        .query(
            "limit",
            new Whole(1, QUEUES_MAX),
            "How many at most; %d when absent.".formatted(QUEUES_MAX))
        .replies(200, "", WorkerShapes.QUEUE_NAMES)
        .handledBy(
            call -> {
              int limit = call.whole("limit").orElse((long) QUEUES_MAX).intValue();
              return blocking(() -> Answer.ok(names(tasks().queues(limit))));
            });
  }

  private static ObjectNode names(List<String> queues) {
    ObjectNode node = TaskJson.object();
    ArrayNode all = node.putArray("queues");
    queues.forEach(name -> all.addObject().put("queue", name));
    return node;
  }

  private Operation get() {
    return Operation.get(
            "queues.get", "/api/v1/queues/{queue}", "What waits in a queue, and who has what")
        .scopes(OPERATOR)
        .path("queue", WorkerShapes.QUEUE, "One without tasks has zeros.")
        .query(
            "keys",
            new Whole(0, KEYS_MAX),
            "How many fairness keys; %d when absent.".formatted(KEYS_USUAL))
        .replies(
            200, "Counts above %d are cut.".formatted(Tasks.COUNT_MAX), WorkerShapes.QUEUE_VIEW)
        .handledBy(
            call -> {
              String queue = call.textOf("queue");
              int keys = call.whole("keys").orElse(KEYS_USUAL).intValue();
              return blocking(() -> Answer.ok(view(queue, tasks().view(queue, keys))));
            });
  }

  private static ObjectNode view(String queue, Tasks.QueueView view) {
    ObjectNode node =
        TaskJson.object()
            .put("queue", queue)
            .put("waiting", view.waiting())
            .put("taken", view.taken())
            .put("lost", view.lost());
    view.oldest().ifPresent(at -> node.put("oldestAt", at.toString()));
    ArrayNode keys = node.putArray("keys");
    for (Tasks.KeyView key : view.keys())
      keys.addObject()
          .put("key", key.key())
          .put("waiting", key.waiting())
          .put("taken", key.taken());
    return node;
  }

  private Operation standing() {
    return Operation.get(
            "tasks.get",
            "/api/v1/workflows/{workflowId}/tasks/{operationId}",
            "How the task of an operation stands, and what comes before it")
        .path("workflowId", WorkerShapes.WORKFLOW, "")
        .path("operationId", WorkerShapes.OPERATION, "As the workflow's open operations have it.")
        .query("runId", WorkerShapes.RUN, "The newest run when absent.")
        .replies(200, "", WorkerShapes.STANDING)
        .fails(WORKFLOW_NOT_FOUND, WORKFLOW_UNREACHABLE, TASK_NOT_FOUND)
        .handledBy(this::standing);
  }

  private CompletionStage<Answer> standing(Call call) {
    WorkflowId workflow = WorkflowId.of(call.textOf("workflowId"));
    String operation = call.textOf("operationId");
    CompletionStage<String> run =
        call.text("runId")
            .<CompletionStage<String>>map(CompletableFuture::completedStage)
            .orElseGet(() -> engine.workflows().describe(workflow).thenApply(Description::runId));
    return run.thenCompose(
        id -> blocking(() -> standing(new TaskId(workflow, id + "/" + operation))));
  }

  private Answer standing(TaskId id) {
    TaskStanding standing =
        tasks()
            .standing(List.of(id))
            .getFirst()
            .orElseThrow(
                () ->
                    ApiFault.of(
                            TASK_NOT_FOUND,
                            "It never waited for a worker, or its outcome was taken.")
                        .with("workflowId", id.workflow().value())
                        .with("operation", id.operation()));
    ObjectNode node = TaskJson.of(id, standing);
    if (standing instanceof TaskStanding.Waiting)
      tasks().position(id).ifPresent(before -> node.put("position", before));
    return Answer.ok(node);
  }
}
