package dev.tenure.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/**
 * How a workflow came out.
 *
 * @param result what it returned, when it completed
 * @param failure why, when it failed
 * @param reason why, when it was cancelled, terminated or timed out
 * @param document the answer as it came
 */
public record WorkflowOutcome(
    String workflowId,
    WorkflowStatus status,
    Optional<JsonNode> result,
    Optional<Failure> failure,
    Optional<String> reason,
    JsonNode document) {
  static WorkflowOutcome of(Answer answer) {
    return new WorkflowOutcome(
        answer.text("workflowId"),
        answer.status(),
        answer.optional("result"),
        answer.failure("failure"),
        answer.optionalText("reason"),
        answer.node());
  }
}
