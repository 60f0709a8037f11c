package dev.tenure.persistence.visibility;

import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.Status;
import java.time.Instant;
import java.util.Optional;

/**
 * What lists, searches and wake-ups know of a workflow.
 *
 * @param wakeAt when it must be awake: not after now while something is in flight, the earliest
 *     timer while it sleeps, empty when only a message can move it
 */
public record WorkflowRow(
    WorkflowId id,
    int shard,
    String runId,
    WorkflowType type,
    Status status,
    Optional<Instant> wakeAt,
    Instant startedAt,
    Optional<Instant> closedAt,
    Optional<WorkflowId> parent,
    Attributes attributes) {
  public WorkflowRow {
    requireConsistent(id, status, closedAt);
    wakeAt = closedAt.isPresent() ? Optional.empty() : wakeAt.map(StoredTime::ceiling);
    startedAt = StoredTime.floor(startedAt);
    closedAt = closedAt.map(StoredTime::floor);
  }

  /** A workflow is closed when its status says so, and then has a time of its end. */
  static void requireConsistent(WorkflowId id, Status status, Optional<Instant> closedAt) {
    if (closedAt.isPresent() && !status.isFinal()) {
      throw new IllegalArgumentException(
          "workflow %s is %s, and closed at %s".formatted(id, status, closedAt.get()));
    }
  }
}
