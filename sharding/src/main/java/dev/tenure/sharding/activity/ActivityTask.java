package dev.tenure.sharding.activity;

import dev.tenure.workflow.Payload;
import dev.tenure.workflow.Trace;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.operation.OperationId;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * One attempt at an activity.
 *
 * @param attemptLimit for how long it may run, once it does
 * @param deadline when nobody waits for any attempt at it any more
 */
public record ActivityTask(
    WorkflowId workflow,
    OperationId operation,
    int attempt,
    String activity,
    Payload input,
    Optional<Duration> attemptLimit,
    Optional<Instant> deadline,
    Optional<Trace> trace) {
  /** What the attempt is found by. */
  record Key(WorkflowId workflow, OperationId operation, int attempt) {}

  Key key() {
    return new Key(workflow, operation, attempt);
  }
}
