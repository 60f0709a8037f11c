package dev.tenure.persistence.task;

import dev.tenure.workflow.operation.Outcome;
import java.time.Instant;
import java.util.Optional;

/** How a task stands. */
public sealed interface TaskStanding {
  /** Of which attempt. */
  int attempt();

  /** It waits for a worker. */
  record Waiting(int attempt) implements TaskStanding {}

  /** A worker has it. */
  record Taken(int attempt, String worker, Instant until) implements TaskStanding {}

  /**
   * The worker that took it is silent for too long, and the task must not be handed to another one
   * before it is known whether it took effect. Or it is held back from the beginning, because an
   * earlier attempt may have had its effect.
   *
   * @param worker empty when no worker had it
   * @param timedOut whether the worker was heard of until the end of the attempt: a timeout
   * @param since when the worker ought to have been heard of. It tells this loss from another one
   *     of the same attempt: the worker may come back and be lost again. Empty when no worker had
   *     it
   */
  record Lost(int attempt, String worker, boolean timedOut, Optional<Instant> since)
      implements TaskStanding {}

  /** It came out. */
  record Done(int attempt, Outcome outcome) implements TaskStanding {}
}
