package dev.tenure.activities;

import dev.tenure.workflow.ActivityContext;
import dev.tenure.workflow.Trace;
import dev.tenure.workflow.WorkflowId;
import java.time.Instant;
import java.util.Optional;

/** What an activity or a verifier is told of its call. */
public record CallContext(
    String idempotencyKey,
    Optional<String> declaredKey,
    Optional<Trace> trace,
    Optional<Instant> deadline)
    implements ActivityContext {

  public static CallContext of(String key) {
    return new CallContext(key, Optional.empty(), Optional.empty(), Optional.empty());
  }

  public CallContext declaring(String key) {
    return new CallContext(idempotencyKey, Optional.of(key), trace, deadline);
  }

  public CallContext in(Trace of) {
    return new CallContext(idempotencyKey, declaredKey, Optional.of(of), deadline);
  }

  public CallContext until(Instant end) {
    return new CallContext(idempotencyKey, declaredKey, trace, Optional.of(end));
  }

  @Override
  public WorkflowId workflowId() {
    return new WorkflowId("order-17");
  }

  @Override
  public String operationId() {
    return "charge";
  }

  @Override
  public int attempt() {
    return 1;
  }

  @Override
  public String attemptKey() {
    return idempotencyKey + ":1";
  }

  @Override
  public boolean isCancelled() {
    return false;
  }

  @Override
  public void heartbeat(Object details) {
    throw new UnsupportedOperationException("Nothing here has a heartbeat.");
  }

  @Override
  public <T> Optional<T> lastDetails(Class<T> type) {
    return Optional.empty();
  }
}
