package dev.tenure.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Optional;

/**
 * A workflow that stands still until a person resolves why.
 *
 * @param version of the type
 * @param kind what can be done about it depends on that
 * @param fingerprint the same for all incidents of one cause
 * @param operation the one that it is about
 * @param evidence what was found, and what to do about it
 * @param activity the record of the activity whose outcome cannot be told; not in lists
 * @param document the answer as it came
 */
public record Incident(
    String workflowId,
    String runId,
    String type,
    int version,
    String kind,
    String fingerprint,
    Instant since,
    Optional<String> operation,
    String evidence,
    Optional<ActivityRecord> activity,
    JsonNode document) {
  /** The kind of those about an activity whose outcome cannot be told. */
  public static final String ACTIVITY_INDETERMINATE = "activity-indeterminate";

  static Incident of(Answer answer) {
    return new Incident(
        answer.text("workflowId"),
        answer.text("runId"),
        answer.text("type"),
        (int) answer.whole("version"),
        answer.text("kind"),
        answer.text("fingerprint"),
        answer.time("since"),
        answer.optionalText("operation"),
        answer.text("evidence"),
        answer.optional("activity").map(node -> ActivityRecord.of(new Answer(node))),
        answer.node());
  }
}
