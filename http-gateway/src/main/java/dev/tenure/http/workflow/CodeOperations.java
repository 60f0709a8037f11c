package dev.tenure.http.workflow;

import static dev.tenure.http.fault.ErrorCode.*;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tenure.http.api.Answer;
import dev.tenure.http.api.Call;
import dev.tenure.http.api.Operation;
import dev.tenure.http.fault.ApiFault;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.operation.Outcome;
import java.util.concurrent.CompletionStage;

/** The operations that a workflow's own code answers: queries and updates. */
final class CodeOperations {
  private final Engine engine;

  CodeOperations(Engine engine) {
    this.engine = engine;
  }

  Operation query() {
    return Operation.post(
            "workflows.query",
            "/api/v1/workflows/{workflowId}/query/{name}",
            "Asks the workflow's code, and changes nothing")
        .path("workflowId", Shapes.ID, "")
        .path("name", Shapes.NAME, "Of the query.")
        .optional("input", Shapes.PAYLOAD, "")
        .replies(200, "", Shapes.ANSWERED)
        .fails(
            WORKFLOW_NOT_FOUND,
            QUERY_NOT_FOUND,
            QUERY_FAILED,
            WORKFLOW_NOT_IN_STATE,
            WORKFLOW_CLOSED,
            WORKFLOW_UNREACHABLE,
            PAYLOAD_TOO_LARGE)
        .handledBy(
            call -> {
              WorkflowId id = WorkflowId.of(call.textOf("workflowId"));
              String name = call.textOf("name");
              return engine
                  .workflows()
                  .query(id, name, call.payload("input"))
                  .thenApply(
                      value -> {
                        ObjectNode node = WorkflowJson.of(id).put("name", name);
                        WorkflowJson.put(node, "result", value);
                        return Answer.ok(node);
                      });
            });
  }

  Operation update() {
    return Operation.post(
            "workflows.update",
            "/api/v1/workflows/{workflowId}/update/{name}",
            "Asks the workflow's code to change something, once, and waits for its answer")
        .path("workflowId", Shapes.ID, "")
        .path("name", Shapes.NAME, "Of the update.")
        .optional("payload", Shapes.PAYLOAD, "")
        .optional(
            "updateId",
            Shapes.UPDATE_ID,
            "The sender's own: a retry with the same one gets the same answer.")
        .replies(200, "It was carried out.", Shapes.ANSWERED)
        .fails(
            WORKFLOW_NOT_FOUND,
            UPDATE_FAILED,
            IDEMPOTENCY_KEY_REUSED,
            WORKFLOW_CLOSED,
            WORKFLOW_NOT_IN_STATE,
            WORKFLOW_UNREACHABLE,
            LIMIT_EXCEEDED,
            PAYLOAD_TOO_LARGE)
        .handledBy(this::update);
  }

  private CompletionStage<Answer> update(Call call) {
    WorkflowId id = WorkflowId.of(call.textOf("workflowId"));
    String name = call.textOf("name");
    String updateId = call.text("updateId").orElseGet(engine.ids());
    return engine
        .workflows()
        .update(id, updateId, name, call.payload("payload"))
        .thenApply(outcome -> Answer.ok(answer(id, name, updateId, outcome)));
  }

  private static ObjectNode answer(WorkflowId id, String name, String updateId, Outcome outcome) {
    ObjectNode node = WorkflowJson.of(id).put("name", name).put("updateId", updateId);
    switch (outcome) {
      case Outcome.Succeeded succeeded -> WorkflowJson.put(node, "result", succeeded.value());
      case Outcome.Failed(var failure) ->
          throw ApiFault.of(UPDATE_FAILED, failure.toString())
              .with("updateId", updateId)
              .with("failure", WorkflowJson.of(failure));
      case Outcome.Cancelled(String reason) -> throw ended(id, reason);
      case Outcome.Terminated(String reason) -> throw ended(id, reason);
      case Outcome.TimedOut(String what) -> throw ended(id, what);
    }
    return node;
  }

  private static ApiFault ended(WorkflowId id, String why) {
    return ApiFault.of(
        WORKFLOW_CLOSED,
        "Workflow \"%s\" ended before it answered the update: %s".formatted(id, why));
  }
}
