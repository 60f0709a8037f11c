package dev.tenure.sharding.workflow;

import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Status;

/** What became of a start. */
public sealed interface StartResult {
  WorkflowId id();

  String runId();

  /** The workflow is started and durable, by this try of the request or an earlier one. */
  record Started(WorkflowId id, String runId) implements StartResult {}

  /** The id was taken before, by another start; nothing was changed. */
  record Duplicate(WorkflowId id, String runId, Status status) implements StartResult {}
}
