package dev.tenure.workflow;

import java.time.Instant;
import java.util.Optional;

/**
 * What a workflow knows about itself.
 *
 * @param deadline when its execution timeout ends it
 */
public record WorkflowInfo(
    WorkflowId id,
    String runId,
    WorkflowType type,
    Instant startedAt,
    Optional<WorkflowId> parent,
    Optional<Instant> deadline) {}
