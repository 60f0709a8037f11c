package dev.tenure.persistence.snapshot;

import dev.tenure.workflow.WorkflowId;

/**
 * The state of a workflow after one of its commits, as the store keeps it.
 *
 * @param version of that commit
 * @param content what the engine wrote; the store does not look into it
 */
public record StoredSnapshot(WorkflowId id, long version, byte[] content) {}
