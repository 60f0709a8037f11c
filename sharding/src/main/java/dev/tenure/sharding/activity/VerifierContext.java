package dev.tenure.sharding.activity;

import dev.tenure.workflow.ActivityContext;
import dev.tenure.workflow.Trace;
import dev.tenure.workflow.WorkflowId;
import java.time.Instant;
import java.util.Optional;

/**
 * What a verifier may ask. It has a time limit of its own: that the call's is over, or that its
 * code was given up, is the reason why the verifier is asked.
 */
record VerifierContext(RunningAttempt of, Optional<Instant> deadline) implements ActivityContext {
  @Override
  public boolean isCancelled() {
    return of.isProofUnwanted();
  }

  @Override
  public WorkflowId workflowId() {
    return of.workflowId();
  }

  @Override
  public String operationId() {
    return of.operationId();
  }

  @Override
  public int attempt() {
    return of.attempt();
  }

  @Override
  public String idempotencyKey() {
    return of.idempotencyKey();
  }

  @Override
  public String attemptKey() {
    return of.attemptKey();
  }

  @Override
  public Optional<String> declaredKey() {
    return of.declaredKey();
  }

  @Override
  public Optional<Trace> trace() {
    return of.trace();
  }

  @Override
  public void heartbeat(Object said) {
    // A verifier has one limit, and nobody goes on from what it said.
  }

  @Override
  public <T> Optional<T> lastDetails(Class<T> type) {
    return of.lastDetails(type);
  }
}
