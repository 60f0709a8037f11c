package dev.tenure.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Optional;

/**
 * One workflow in a list.
 *
 * @param version of the type
 * @param wakeAt when it is due next
 * @param attributes what it can be found by, as a JSON object
 * @param document the answer as it came
 */
public record WorkflowSummary(
    String workflowId,
    String runId,
    String type,
    int version,
    WorkflowStatus status,
    Instant startedAt,
    Optional<Instant> closedAt,
    Optional<Instant> wakeAt,
    Optional<String> parent,
    JsonNode attributes,
    JsonNode document) {
  static WorkflowSummary of(Answer answer) {
    return new WorkflowSummary(
        answer.text("workflowId"),
        answer.text("runId"),
        answer.text("type"),
        (int) answer.whole("version"),
        answer.status(),
        answer.time("startedAt"),
        answer.optionalTime("closedAt"),
        answer.optionalTime("wakeAt"),
        answer.optionalText("parent"),
        answer.within("attributes").node(),
        answer.node());
  }
}
