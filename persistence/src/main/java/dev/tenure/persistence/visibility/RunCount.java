package dev.tenure.persistence.visibility;

import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.Status;

/** How many open workflows of one type and version have one status. */
public record RunCount(WorkflowType type, Status status, long count) {}
