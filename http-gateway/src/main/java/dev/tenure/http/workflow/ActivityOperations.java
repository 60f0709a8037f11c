package dev.tenure.http.workflow;

import static dev.tenure.http.access.Scope.OPERATOR;
import static dev.tenure.http.fault.ErrorCode.*;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tenure.http.api.Answer;
import dev.tenure.http.api.Call;
import dev.tenure.http.api.Operation;
import dev.tenure.http.schema.Schema;
import dev.tenure.http.schema.Schema.Choice;
import dev.tenure.http.schema.Schema.ListOf;
import dev.tenure.http.schema.Schema.Whole;
import dev.tenure.http.schema.Shape;
import dev.tenure.persistence.activity.ActivityRecord;
import dev.tenure.persistence.activity.ActivityRecord.Verdict;
import dev.tenure.persistence.activity.ActivityStatus;
import dev.tenure.sharding.workflow.RepairTarget;
import dev.tenure.sharding.workflow.Workflows;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.operation.Outcome;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;

/** The operations on the keyed activities of a workflow, above all on those of unknown outcome. */
final class ActivityOperations {
  private static final long RECORDS = 100;

  /** When the results in an answer are longer than that, those of older calls are left out. */
  private static final long RESULT_BYTES_MAX = 2L << 20;

  private static final Schema VERDICT =
      Shape.named("Verdict")
          .required(
              "answer",
              new Choice(Arrays.stream(Verdict.Word.values()).map(WorkflowJson::word).toList()),
              "")
          .required("evidence", Shapes.WORD, "What the verifier went by.")
          .schema();

  static final Schema RECORD =
      Shape.named("ActivityRecord")
          .required("runId", Shapes.WORD, "The run that made the call.")
          .required("operation", Shapes.WORD, "The call, within its run.")
          .required("activity", Shapes.WORD, "The name that it is registered under.")
          .required("key", Shapes.WORD, "The idempotency key that code or definition gave it.")
          .required(
              "status",
              new Choice(Arrays.stream(ActivityStatus.values()).map(ActivityStatus::word).toList()),
              "")
          .required("attempt", Shapes.COUNT, "The newest one that was claimed.")
          .required("epoch", Shapes.COUNT, "The tenure that claimed it.")
          .required("invocation", Shapes.WORD, "A hash of what was called with what.")
          .optional("result", Shapes.ANY, "Of a completed call.")
          .optional(
              "resultBytes",
              Shapes.COUNT,
              "How long a result is that this answer has no room for; the history has it.")
          .optional("error", Shapes.FAILURE, "How the newest attempt failed.")
          .optional("verdict", VERDICT, "What its verifier said last.")
          .required("createdAt", Shapes.TIME, "When it was claimed first.")
          .required("updatedAt", Shapes.TIME, "")
          .schema();

  private static final Schema RECORDS_OF_WORKFLOW =
      Shape.named("ActivityRecords")
          .required("workflowId", Shapes.ID, "")
          .required("activities", new ListOf(RECORD, Workflows.ACTIVITY_RECORDS_MAX), "")
          .schema();

  private final Engine engine;
  private final AnswerLimits limits;

  ActivityOperations(Engine engine, AnswerLimits limits) {
    this.engine = engine;
    this.limits = limits;
  }

  List<Operation> all() {
    return List.of(list(), complete(), fail(), verifyAgain());
  }

  private Operation list() {
    return Operation.get(
            "workflows.activities",
            "/api/v1/workflows/{workflowId}/activities",
            "The records of its keyed activities, those that were claimed last first")
        .path("workflowId", Shapes.ID, "")
        .query(
            "limit",
            new Whole(1, Workflows.ACTIVITY_RECORDS_MAX),
            "How many at most; 100 when absent.")
        .replies(200, "", RECORDS_OF_WORKFLOW)
        .fails(WORKFLOW_NOT_FOUND, WORKFLOW_UNREACHABLE)
        .handledBy(this::list);
  }

  private CompletionStage<Answer> list(Call call) {
    WorkflowId id = WorkflowId.of(call.textOf("workflowId"));
    int limit = limits.rows(call.whole("limit").orElse(RECORDS));
    return engine
        .workflows()
        .activityRecords(id, limit)
        .thenCompose(
            records -> {
              // That it has none is an answer only where there is a workflow.
              if (!records.isEmpty()) return CompletableFuture.completedStage(records);
              return engine.workflows().describe(id).thenApply(there -> records);
            })
        .thenApply(records -> Answer.ok(of(id, records)));
  }

  private static ObjectNode of(WorkflowId id, List<ActivityRecord> records) {
    ObjectNode node = WorkflowJson.of(id);
    ArrayNode all = node.putArray("activities");
    long bytes = 0;
    for (ActivityRecord record : records) {
      bytes += record.result().map(Payload::size).orElse(0);
      all.add(of(record, bytes <= RESULT_BYTES_MAX));
    }
    return node;
  }

  /**
   * @param withResult whether the answer has room for its result
   */
  static ObjectNode of(ActivityRecord record, boolean withResult) {
    ObjectNode node =
        WorkflowJson.object()
            .put("runId", record.key().runId())
            .put("operation", record.key().operationId().value())
            .put("activity", record.key().activity())
            .put("key", record.key().idempotencyKey())
            .put("status", record.status().word())
            .put("attempt", record.attempt())
            .put("epoch", record.epoch())
            .put("invocation", record.invocation().toString());
    record
        .result()
        .ifPresent(
            result -> {
              if (withResult) WorkflowJson.put(node, "result", result);
              else node.put("resultBytes", result.size());
            });
    record.error().ifPresent(error -> node.set("error", WorkflowJson.of(error)));
    record
        .verdict()
        .ifPresent(
            verdict ->
                node.putObject("verdict")
                    .put("answer", WorkflowJson.word(verdict.word()))
                    .put("evidence", verdict.evidence()));
    return node.put("createdAt", record.createdAt().toString())
        .put("updatedAt", record.updatedAt().toString());
  }

  private Operation complete() {
    return RepairOperations.ofAttempt(
            repair(
                "completeActivity",
                "complete",
                "Says that an activity took effect, with its result"))
        .required("result", Shapes.PAYLOAD, "As its code would have returned it; null is none.")
        .required("note", Shapes.NOTE, "How that is known; it stands in the history.")
        .fails(PAYLOAD_TOO_LARGE, ACTIVITY_ON_RECORD)
        .handledBy(
            with(
                (call, meant) ->
                    engine
                        .workflows()
                        .conclude(
                            meant.workflow(),
                            meant.target(),
                            new Outcome.Succeeded(call.payload("result")),
                            call.textOf("note"))));
  }

  private Operation fail() {
    return RepairOperations.ofAttempt(
            repair("failActivity", "fail", "Says that an activity failed, and with what"))
        .required("type", Remedies.FAILURE_TYPE, Remedies.FAILURE_TYPE_MEANS)
        .required("message", Remedies.FAILURE_MESSAGE, "")
        .optional("code", Remedies.FAILURE_CODE, Remedies.FAILURE_CODE_MEANS)
        .optional(Remedies.EFFECT, Remedies.FAILURE_EFFECT, Remedies.FAILURE_EFFECT_MEANS)
        .fails(ACTIVITY_ON_RECORD)
        .required("note", Shapes.NOTE, "How that is known; it stands in the history.")
        .handledBy(
            with(
                (call, meant) ->
                    engine
                        .workflows()
                        .conclude(
                            meant.workflow(),
                            meant.target(),
                            new Outcome.Failed(Remedies.failure(call)),
                            call.textOf("note"))));
  }

  private Operation verifyAgain() {
    return repair(
            "verifyActivityAgain",
            "verify-again",
            "Has the verifier of an activity asked again whose outcome cannot be told")
        .required("note", Shapes.NOTE, "What was done; it stands in the history.")
        .handledBy(
            with(
                (call, meant) ->
                    engine
                        .workflows()
                        .verifyAgain(
                            meant.workflow(), meant.target().operation(), call.textOf("note"))));
  }

  private static Operation repair(String name, String word, String summary) {
    return Operation.post(
            "workflows." + name,
            "/api/v1/workflows/{workflowId}/operations/{operation}/" + word,
            summary)
        .operators(OPERATOR)
        .path("workflowId", Shapes.ID, "")
        .path("operation", RepairOperations.OPERATION, "As the workflow's incident shows it.")
        .replies(200, "It stands, durably.", Shapes.ORDERED)
        .fails(WORKFLOW_NOT_FOUND, WORKFLOW_CLOSED, WORKFLOW_NOT_IN_STATE, WORKFLOW_UNREACHABLE)
        .fails(LIMIT_EXCEEDED);
  }

  /** Which operation is meant, and which attempt at it. */
  private record Meant(WorkflowId workflow, RepairTarget target) {}

  private static java.util.function.Function<Call, CompletionStage<Answer>> with(
      BiFunction<Call, Meant, CompletionStage<Boolean>> order) {
    return OrderOperations.with(
        (id, call) -> order.apply(call, new Meant(id, RepairOperations.target(call))));
  }
}
