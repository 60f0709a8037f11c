package dev.tenure.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How one workflow stands, and why.
 *
 * @param version of the type
 * @param attributes what it can be found by, as a JSON object
 * @param cancelRequested why, when it was asked to cancel
 * @param incident what needs a person
 * @param commits how long its history is
 * @param open what it waits for or does, the first hundred
 * @param document the answer as it came
 */
public record WorkflowDescription(
    String workflowId,
    String runId,
    String type,
    int version,
    WorkflowStatus status,
    Instant startedAt,
    Optional<Instant> endedAt,
    Optional<String> parent,
    JsonNode attributes,
    Optional<String> cancelRequested,
    Optional<String> pauseReason,
    Optional<String> blockReason,
    Optional<Incident> incident,
    Optional<Instant> nextDue,
    long commits,
    long events,
    long operations,
    List<Open> open,
    JsonNode document) {

  /**
   * What stopped a workflow until a person resolves it.
   *
   * @param operation the one that it is about
   * @param failure of that operation, as evidence
   */
  public record Incident(
      String kind, String message, Optional<String> operation, Optional<Failure> failure) {
    static Incident of(Answer answer) {
      return new Incident(
          answer.text("kind"),
          answer.text("message"),
          answer.optionalText("operation"),
          answer.failure("failure"));
    }
  }

  /** An operation that is not done. */
  public record Open(
      String id,
      String kind,
      String phase,
      int attempt,
      Instant scheduledAt,
      Optional<Instant> dueAt,
      Optional<Failure> lastFailure) {
    static Open of(Answer answer) {
      return new Open(
          answer.text("id"),
          answer.text("kind"),
          answer.text("phase"),
          (int) answer.whole("attempt"),
          answer.time("scheduledAt"),
          answer.optionalTime("dueAt"),
          answer.failure("lastFailure"));
    }
  }

  static WorkflowDescription of(Answer answer) {
    return new WorkflowDescription(
        answer.text("workflowId"),
        answer.text("runId"),
        answer.text("type"),
        (int) answer.whole("version"),
        answer.status(),
        answer.time("startedAt"),
        answer.optionalTime("endedAt"),
        answer.optionalText("parent"),
        answer.within("attributes").node(),
        answer.optionalText("cancelRequested"),
        answer.optionalText("pauseReason"),
        answer.optionalText("blockReason"),
        answer.optional("incident").map(node -> Incident.of(new Answer(node))),
        answer.optionalTime("nextDue"),
        answer.whole("commits"),
        answer.whole("events"),
        answer.whole("operations"),
        answer.all("open", Open::of),
        answer.node());
  }
}
