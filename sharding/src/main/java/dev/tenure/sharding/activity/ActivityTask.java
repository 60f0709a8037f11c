package dev.tenure.sharding.activity;

import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.operation.OperationId;
import java.time.Instant;
import java.util.Optional;

/** One attempt at an activity. */
public record ActivityTask(
    WorkflowId workflow,
    OperationId operation,
    int attempt,
    String activity,
    Payload input,
    Optional<Instant> deadline) {
  /** What the attempt is found by. */
  record Key(WorkflowId workflow, OperationId operation, int attempt) {}

  Key key() {
    return new Key(workflow, operation, attempt);
  }
}
