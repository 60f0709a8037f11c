package dev.tenure.sharding.activity;

import dev.tenure.persistence.activity.ActivityKey;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.task.TaskId;
import dev.tenure.persistence.task.TaskOffer;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.Timeouts;
import dev.tenure.workflow.Trace;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Effect.Proof;
import dev.tenure.workflow.operation.ActivityCall;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * One attempt at an activity.
 *
 * @param runId of the run that asked for it; operation ids begin anew in each run
 * @param tenure under which its owner asks for it
 * @param proof whether a keyed call is run only when it is proven that it had no effect before
 * @param deadline when the owner stops waiting for any attempt at it
 */
public record ActivityTask(
    WorkflowId workflow,
    String runId,
    OperationId operation,
    int attempt,
    OperationSpec.Activity spec,
    Fence tenure,
    Proof proof,
    Optional<Instant> deadline,
    Optional<Trace> trace) {
  /** Identifies the attempt. */
  record Key(WorkflowId workflow, String runId, OperationId operation, int attempt) {}

  Key key() {
    return new Key(workflow, runId, operation, attempt);
  }

  String activity() {
    return spec.activity();
  }

  Payload input() {
    return spec.input();
  }

  /** For how long it may run, once it does. */
  Optional<Duration> attemptLimit() {
    return spec.timeouts().attempt();
  }

  boolean isKeyed() {
    return spec.isKeyed();
  }

  /** The same attempt, of which nothing has to be proven. */
  public ActivityTask given() {
    return new ActivityTask(
        workflow, runId, operation, attempt, spec, tenure, Proof.GIVEN, deadline, trace);
  }

  /** Which record is about it; only of a keyed call. */
  public ActivityKey record() {
    return recordOf(workflow, runId, operation, spec);
  }

  /** Which record is about the keyed call of an operation. */
  public static ActivityKey recordOf(
      WorkflowId workflow, String runId, OperationId operation, OperationSpec.Activity spec) {
    return ActivityKey.of(
        workflow, runId, operation, spec.activity(), spec.call().idempotencyKey().orElseThrow());
  }

  /** The attempt that a worker of this node took, as far as its code can see. */
  public static ActivityTask taken(TaskOffer offer) {
    TaskId id = offer.id();
    int slash = id.operation().indexOf('/');
    return new ActivityTask(
        id.workflow(),
        id.operation().substring(0, slash),
        new OperationId(id.operation().substring(slash + 1)),
        offer.attempt(),
        new OperationSpec.Activity(
            offer.activity(),
            offer.input(),
            RetryPolicy.NONE,
            new Timeouts(offer.attemptLimit(), Optional.empty()),
            new ActivityCall(
                offer.idempotencyKey(),
                offer.repeatable() && offer.idempotencyKey().isPresent(),
                offer.heartbeatTimeout(),
                Optional.of(offer.queueing()))),
        // A worker commits nothing.
        new Fence(offer.shard(), 1),
        Proof.GIVEN,
        offer.deadline(),
        offer.trace());
  }
}
