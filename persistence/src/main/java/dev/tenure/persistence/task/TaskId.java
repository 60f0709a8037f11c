package dev.tenure.persistence.task;

import dev.tenure.workflow.WorkflowId;

/**
 * Which call a task is for.
 *
 * @param operation within the workflow's whole life, {@code {runId}/{operationId}}
 */
public record TaskId(WorkflowId workflow, String operation) {}
