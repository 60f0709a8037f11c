package dev.tenure.persistence.activity;

import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.operation.OperationId;

/**
 * Which call a record is of: all four parts count.
 *
 * @param operation within the workflow's whole life, {@code {runId}/{operationId}}: operation ids
 *     begin anew in each run
 * @param activity the name that it is registered under
 * @param idempotencyKey that the workflow's code or the definition gave the call
 */
public record ActivityKey(
    WorkflowId workflow, String operation, String activity, String idempotencyKey) {

  public static ActivityKey of(
      WorkflowId workflow,
      String runId,
      OperationId operation,
      String activity,
      String idempotencyKey) {
    return new ActivityKey(workflow, operationOf(runId, operation), activity, idempotencyKey);
  }

  /** The operation's id within the workflow's whole life. */
  public static String operationOf(String runId, OperationId operation) {
    return runId + "/" + operation.value();
  }

  /** The run that made the call. An operation's own id may have slashes, a run's has none. */
  public String runId() {
    return operation.substring(0, operation.indexOf('/'));
  }

  /** The operation's id within that run. */
  public OperationId operationId() {
    return new OperationId(operation.substring(operation.indexOf('/') + 1));
  }
}
