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
 * @param runId of the run that asked for it; operation ids begin anew in each run
 * @param attemptLimit for how long it may run, once it does
 * @param deadline when the owner stops waiting for any attempt at it
 */
public record ActivityTask(
    WorkflowId workflow,
    String runId,
    OperationId operation,
    int attempt,
    String activity,
    Payload input,
    Optional<Duration> attemptLimit,
    Optional<Instant> deadline,
    Optional<Trace> trace) {
  /** Identifies the attempt. */
  record Key(WorkflowId workflow, String runId, OperationId operation, int attempt) {}

  Key key() {
    return new Key(workflow, runId, operation, attempt);
  }
}
