package dev.tenure.persistence.entry;

import dev.tenure.workflow.WorkflowId;
import java.util.UUID;

/**
 * What a commit's row says beside the payload: whose commit it is, and who wrote it. The chain
 * covers it.
 *
 * @param writer as in the commit's identity
 */
public record Authorship(WorkflowId workflow, UUID writer) {}
