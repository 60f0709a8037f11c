package dev.tenure.persistence.visibility;

import java.time.Instant;
import java.util.Optional;

/**
 * What a commit changes in its workflow's row.
 *
 * @param signalsSeen the position of the newest signal that the owner had read when it decided. If
 *     another was accepted since, the workflow stays due: a signal is never slept over (I8)
 * @param attributes the new ones; empty leaves them as they are
 */
public record WorkflowChange(
    String id,
    WorkflowStatus status,
    Optional<Instant> wakeAt,
    long signalsSeen,
    Optional<Instant> closedAt,
    Optional<Attributes> attributes) {
  public WorkflowChange {
    if (closedAt.isPresent() != status.isTerminal()) {
      throw new IllegalArgumentException(
          id + " is " + status + " and closed at " + closedAt.map(Instant::toString).orElse("no time"));
    }
    wakeAt = wakeAt.map(time -> StoredTime.ceiling("a wake-up of " + id, time));
    closedAt = closedAt.map(time -> StoredTime.floor("the end of " + id, time));
    if (closedAt.isPresent()) wakeAt = Optional.empty();
  }

  /** It rests, or works, until something else is said. */
  public static WorkflowChange rests(
      String id, WorkflowStatus status, Optional<Instant> wakeAt, long signalsSeen) {
    return new WorkflowChange(id, status, wakeAt, signalsSeen, Optional.empty(), Optional.empty());
  }

  /** It is over. */
  public static WorkflowChange closes(String id, WorkflowStatus status, Instant closedAt) {
    return new WorkflowChange(
        id, status, Optional.empty(), 0, Optional.of(closedAt), Optional.empty());
  }

  public WorkflowChange with(Attributes attributes) {
    return new WorkflowChange(
        id, status, wakeAt, signalsSeen, closedAt, Optional.of(attributes));
  }
}
