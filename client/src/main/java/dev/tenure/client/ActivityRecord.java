package dev.tenure.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Optional;

/**
 * What is known of one call of a keyed activity.
 *
 * @param operation the call, within its run
 * @param key the idempotency key that the workflow's code or the definition gave it
 * @param status {@code started}, {@code completed}, {@code failed}, {@code cancelled}, {@code
 *     timed-out} or {@code indeterminate}
 * @param attempt the newest one that was claimed
 * @param result of a completed call, unless the answer had no room for it
 * @param error how the newest attempt failed
 * @param verdict what its verifier said last
 * @param createdAt when it was claimed first
 * @param document the answer as it came
 */
public record ActivityRecord(
    String runId,
    String operation,
    String activity,
    String key,
    String status,
    int attempt,
    Optional<JsonNode> result,
    Optional<Failure> error,
    Optional<Verdict> verdict,
    Instant createdAt,
    Instant updatedAt,
    JsonNode document) {

  /**
   * What a verifier said.
   *
   * @param answer {@code not-completed}, {@code completed-with-result}, {@code
   *     completed-result-unavailable} or {@code indeterminate}
   * @param evidence what it went by
   */
  public record Verdict(String answer, String evidence) {
    static Verdict of(Answer answer) {
      return new Verdict(answer.text("answer"), answer.text("evidence"));
    }
  }

  static ActivityRecord of(Answer answer) {
    return new ActivityRecord(
        answer.text("runId"),
        answer.text("operation"),
        answer.text("activity"),
        answer.text("key"),
        answer.text("status"),
        (int) answer.whole("attempt"),
        answer.optional("result"),
        answer.failure("error"),
        answer.optional("verdict").map(node -> Verdict.of(new Answer(node))),
        answer.time("createdAt"),
        answer.time("updatedAt"),
        answer.node());
  }
}
