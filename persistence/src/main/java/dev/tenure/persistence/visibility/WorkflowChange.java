package dev.tenure.persistence.visibility;

import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Status;
import java.time.Instant;
import java.util.Optional;

/**
 * What a commit changes in its workflow's row.
 *
 * @param signalsSeen the position of the newest signal that the owner had read when it decided. If
 *     another was accepted since, the workflow stays due: a signal is never slept over (I8)
 * @param attributes all of the new ones; empty leaves them as they are
 * @param run empty leaves it as it is
 */
public record WorkflowChange(
    WorkflowId id,
    Status status,
    Optional<Instant> wakeAt,
    long signalsSeen,
    Optional<Instant> closedAt,
    Optional<Attributes> attributes,
    Optional<Run> run) {
  /** Another run, or the same with another version of the code. */
  public record Run(String runId, int version) {}

  public WorkflowChange {
    WorkflowRow.requireConsistent(id, status, closedAt);
    wakeAt = closedAt.isPresent() ? Optional.empty() : wakeAt.map(StoredTime::ceiling);
    closedAt = closedAt.map(StoredTime::floor);
  }

  /** It works, or rests until then. */
  public static WorkflowChange rests(
      WorkflowId id, Status status, Optional<Instant> wakeAt, long signalsSeen) {
    return new WorkflowChange(
        id, status, wakeAt, signalsSeen, Optional.empty(), Optional.empty(), Optional.empty());
  }

  /** Nothing follows. What is left in its inbox is settled in the same commit. */
  public static WorkflowChange closes(WorkflowId id, Status status, Instant closedAt) {
    return new WorkflowChange(
        id, status, Optional.empty(), 0, Optional.of(closedAt), Optional.empty(), Optional.empty());
  }

  public WorkflowChange with(Attributes attributes) {
    return new WorkflowChange(
        id, status, wakeAt, signalsSeen, closedAt, Optional.of(attributes), run);
  }

  public WorkflowChange with(Run another) {
    return new WorkflowChange(
        id, status, wakeAt, signalsSeen, closedAt, attributes, Optional.of(another));
  }
}
