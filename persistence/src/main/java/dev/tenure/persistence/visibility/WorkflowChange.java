package dev.tenure.persistence.visibility;

import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Status;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a commit changes in its workflow's row.
 *
 * @param signalsSeen the position of the newest signal that the owner had read when it decided. If
 *     another was accepted since, the workflow stays due: a signal is never slept over (I8)
 * @param attributes all of the new ones; empty leaves them as they are
 * @param run empty leaves it as it is
 * @param signalTaken the position that a signal gets which this very commit accepts
 * @param emptyUpTo of a change that closes: nothing is left in the inbox up to this position, so
 *     that there is nothing to settle if no other signal was accepted
 */
public record WorkflowChange(
    WorkflowId id,
    Status status,
    Optional<Instant> wakeAt,
    long signalsSeen,
    Optional<Instant> closedAt,
    Optional<Attributes> attributes,
    Optional<Run> run,
    OptionalLong signalTaken,
    OptionalLong emptyUpTo) {
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
        id,
        status,
        wakeAt,
        signalsSeen,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        OptionalLong.empty(),
        OptionalLong.empty());
  }

  /**
   * The workflow closes. Signals that are left in its inbox become unconsumed in the same commit.
   */
  public static WorkflowChange closes(WorkflowId id, Status status, Instant closedAt) {
    return new WorkflowChange(
        id,
        status,
        Optional.empty(),
        0,
        Optional.of(closedAt),
        Optional.empty(),
        Optional.empty(),
        OptionalLong.empty(),
        OptionalLong.empty());
  }

  public WorkflowChange with(Attributes attributes) {
    return new WorkflowChange(
        id,
        status,
        wakeAt,
        signalsSeen,
        closedAt,
        Optional.of(attributes),
        run,
        signalTaken,
        emptyUpTo);
  }

  public WorkflowChange with(Run another) {
    return new WorkflowChange(
        id,
        status,
        wakeAt,
        signalsSeen,
        closedAt,
        attributes,
        Optional.of(another),
        signalTaken,
        emptyUpTo);
  }

  /** The commit accepts a signal, which is to be the next one of the workflow. */
  public WorkflowChange taking(long position) {
    return new WorkflowChange(
        id,
        status,
        wakeAt,
        signalsSeen,
        closedAt,
        attributes,
        run,
        OptionalLong.of(position),
        emptyUpTo);
  }

  /** It closes, and nothing is left in the inbox up to that position. */
  public WorkflowChange withEmptyInbox(long upTo) {
    return new WorkflowChange(
        id,
        status,
        wakeAt,
        signalsSeen,
        closedAt,
        attributes,
        run,
        signalTaken,
        OptionalLong.of(upTo));
  }
}
