package dev.tenure.persistence.visibility;

import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;

/**
 * A shard has at least one blocked workflow of this type and version.
 *
 * @param one any of them
 */
public record BlockedType(int shard, WorkflowType type, WorkflowId one) {}
