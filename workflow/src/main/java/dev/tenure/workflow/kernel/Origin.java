package dev.tenure.workflow.kernel;

import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.operation.MessageGuid;
import dev.tenure.workflow.operation.OperationId;

/**
 * Whose child a workflow is.
 *
 * @param operation the parent's operation that waits for it
 * @param guid of the start message, by which a repetition is told from another start
 */
public record Origin(WorkflowId parent, OperationId operation, MessageGuid guid) {}
