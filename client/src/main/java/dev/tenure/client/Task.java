package dev.tenure.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One call of an activity, as a worker has it until it says how the call came out.
 *
 * @param token proves that this worker has it; to be kept secret
 * @param attempt of the call's retry policy, from 1
 * @param delivery how often this attempt was handed out, from 1
 * @param idempotencyKey by which other systems recognise a repetition: the same over all attempts
 * @param attemptKey another one for each attempt
 * @param declaredKey the key that the workflow's code gave the call
 * @param deadline when nobody waits for it any more, by the server's clock
 * @param heartbeatTimeout for how long the worker may be silent
 * @param attemptTimeout for how long the worker may have it, counted from when it got it
 * @param deadlineSpan for how long at most until the deadline, counted from when the worker got it
 * @param traceparent of the trace that its workflow belongs to
 */
public record Task(
    String token,
    String workflowId,
    String runId,
    String operationId,
    int attempt,
    int delivery,
    String activity,
    Value input,
    String idempotencyKey,
    String attemptKey,
    Optional<String> declaredKey,
    Optional<Instant> deadline,
    Duration heartbeatTimeout,
    Optional<Duration> attemptTimeout,
    Optional<Duration> deadlineSpan,
    Optional<Value> details,
    Optional<String> traceparent) {

  /** A value that came with a task, not read yet. */
  public static final class Value {
    private final JsonNode json;
    private final Payloads payloads;
    private final String what;

    Value(JsonNode json, Payloads payloads, String what) {
      this.json = json;
      this.payloads = payloads;
      this.what = what;
    }

    /** Throws an {@link IllegalArgumentException} when it is not of that type. */
    public <T> T as(Type type) {
      return payloads.read(json, type, what);
    }
  }

  static Task of(Answer answer, Payloads payloads) {
    String activity = answer.text("activity");
    Optional<Instant> deadline = answer.optionalTime("deadline");
    Duration silence = Duration.ofMillis(answer.whole("heartbeatTimeoutMs"));
    Optional<Instant> visibleUntil = answer.optionalTime("visibleUntil");
    return new Task(
        answer.text("token"),
        answer.text("workflowId"),
        answer.text("runId"),
        answer.text("operationId"),
        (int) answer.whole("attempt"),
        (int) answer.whole("delivery"),
        activity,
        new Value(
            answer.optional("input").orElse(NullNode.instance),
            payloads,
            "The input of activity " + activity),
        answer.text("idempotencyKey"),
        answer.text("attemptKey"),
        answer.optionalText("declaredKey"),
        deadline,
        silence,
        answer.optional("attemptTimeoutMs").map(JsonNode::asLong).map(Duration::ofMillis),
        deadline.flatMap(end -> visibleUntil.map(until -> span(until, silence, end))),
        answer
            .optional("details")
            .map(json -> new Value(json, payloads, "The details of activity " + activity)),
        answer.optionalText("traceparent"));
  }

  /**
   * Only times of the server are compared: the worker's clock may be wrong. The server took the
   * task at most so long before it counts the worker as lost.
   */
  private static Duration span(Instant visibleUntil, Duration silence, Instant deadline) {
    return Duration.between(visibleUntil.minus(silence), deadline);
  }

  /** For how long at most the worker may have it, however alive it is. */
  public Optional<Duration> timeLimit() {
    return Stream.of(attemptTimeout, deadlineSpan)
        .flatMap(Optional::stream)
        .min(Comparator.naturalOrder());
  }

  /** Without the token, which is a secret. */
  @Override
  public String toString() {
    return "%s (%s of %s, attempt %d, delivery %d)"
        .formatted(activity, operationId, workflowId, attempt, delivery);
  }
}
