package dev.tenure.http.workflow;

import static dev.tenure.http.access.Scope.OPERATOR;
import static dev.tenure.http.fault.ErrorCode.*;

import dev.tenure.http.api.Answer;
import dev.tenure.http.api.Call;
import dev.tenure.http.api.Operation;
import dev.tenure.workflow.WorkflowId;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;

/** The orders of operators and clients to a workflow. */
final class OrderOperations {
  private final Engine engine;

  OrderOperations(Engine engine) {
    this.engine = engine;
  }

  List<Operation> all() {
    return List.of(
        order("cancel", "Asks it to cancel; its code may clean up")
            .optional("reason", Shapes.REASON, "")
            .handledBy(with((id, call) -> engine.workflows().cancel(id, reason(call)))),
        order("terminate", "Ends it at once, in any state")
            .operators(OPERATOR)
            .optional("reason", Shapes.REASON, "")
            .handledBy(with((id, call) -> engine.workflows().terminate(id, reason(call)))),
        order("pause", "Holds it: what is in flight ends, nothing new begins")
            .operators(OPERATOR)
            .optional("reason", Shapes.REASON, "")
            .handledBy(with((id, call) -> engine.workflows().pause(id, reason(call)))),
        order("resume", "Lets it go on after a pause")
            .operators(OPERATOR)
            .handledBy(with((id, call) -> engine.workflows().resume(id))),
        Operation.post(
                "workflows.resolveIncident",
                "/api/v1/workflows/{workflowId}/resolve-incident",
                "Says that the cause of the incident is mended: the code is replayed and goes on")
            .operators(OPERATOR)
            .path("workflowId", Shapes.ID, "")
            .required("note", Shapes.NOTE, "What was done; it stands in the history.")
            .replies(200, "", Shapes.ORDERED)
            .fails(WORKFLOW_NOT_FOUND, WORKFLOW_CLOSED, WORKFLOW_UNREACHABLE)
            .fails(WORKFLOW_NOT_IN_STATE, LIMIT_EXCEEDED)
            .handledBy(
                with((id, call) -> engine.workflows().resolveIncident(id, call.textOf("note")))));
  }

  private static Operation order(String word, String summary) {
    return order(word, word, summary);
  }

  /**
   * @param word in the path
   */
  static Operation order(String name, String word, String summary) {
    return Operation.post("workflows." + name, "/api/v1/workflows/{workflowId}/" + word, summary)
        .path("workflowId", Shapes.ID, "")
        .replies(200, "It stands, durably.", Shapes.ORDERED)
        .fails(WORKFLOW_NOT_FOUND, WORKFLOW_CLOSED, WORKFLOW_NOT_IN_STATE, WORKFLOW_UNREACHABLE)
        .fails(LIMIT_EXCEEDED);
  }

  private static String reason(Call call) {
    return call.text("reason").orElse("");
  }

  static java.util.function.Function<Call, CompletionStage<Answer>> with(
      BiFunction<WorkflowId, Call, CompletionStage<Boolean>> order) {
    return call -> {
      WorkflowId id = WorkflowId.of(call.textOf("workflowId"));
      return order
          .apply(id, call)
          .thenApply(applied -> Answer.ok(WorkflowJson.of(id).put("applied", applied)));
    };
  }
}
