package dev.tenure.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What is started, and how.
 *
 * @param id what it shall be called; made up by the server when absent
 * @param idempotencyKey under which the start can be repeated, also by another process or after a
 *     crash of this one; made for each call when absent
 * @param executionTimeout after which it is timed out
 * @param attributes what it can be found by: texts, numbers, booleans and lists of texts
 * @param policy what becomes of the start when the id is taken
 */
public record StartRequest<I, O>(
    WorkflowType<I, O> type,
    Optional<I> input,
    Optional<String> id,
    Optional<String> idempotencyKey,
    Optional<Duration> executionTimeout,
    Map<String, Object> attributes,
    StartPolicy policy) {
  public StartRequest {
    attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
  }

  static <I, O> StartRequest<I, O> of(WorkflowType<I, O> type, Optional<I> input) {
    return new StartRequest<>(
        type,
        input,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        StartPolicy.REJECT_DUPLICATE);
  }

  public StartRequest<I, O> id(String name) {
    return new StartRequest<>(
        type, input, Optional.of(name), idempotencyKey, executionTimeout, attributes, policy);
  }

  public StartRequest<I, O> idempotencyKey(String key) {
    return new StartRequest<>(
        type, input, id, Optional.of(key), executionTimeout, attributes, policy);
  }

  public StartRequest<I, O> executionTimeout(Duration timeout) {
    return new StartRequest<>(
        type, input, id, idempotencyKey, Optional.of(timeout), attributes, policy);
  }

  public StartRequest<I, O> attribute(String name, Object value) {
    Map<String, Object> all = new LinkedHashMap<>(attributes);
    all.put(name, value);
    return new StartRequest<>(type, input, id, idempotencyKey, executionTimeout, all, policy);
  }

  /** What becomes of it when the id is taken; by default it is refused. */
  public StartRequest<I, O> ifTaken(StartPolicy taken) {
    return new StartRequest<>(type, input, id, idempotencyKey, executionTimeout, attributes, taken);
  }

  ObjectNode body(Payloads payloads) {
    ObjectNode body = payloads.object().put("type", type.name());
    type.version().ifPresent(version -> body.put("version", version));
    id.ifPresent(name -> body.put("id", name));
    if (policy != StartPolicy.REJECT_DUPLICATE) body.put("startPolicy", policy.word());
    input.ifPresent(
        value -> body.set("input", payloads.encrypted(payloads.write(value, "the input"))));
    executionTimeout.ifPresent(timeout -> body.put("executionTimeout", timeout.toString()));
    if (!attributes.isEmpty()) {
      body.set("attributes", payloads.write(attributes, "the attributes"));
    }
    return body;
  }
}
