package dev.tenure.persistence.task;

import dev.tenure.workflow.operation.Outcome;
import java.time.Instant;

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
   */
  record Lost(int attempt, String worker, boolean timedOut) implements TaskStanding {}

  /** It came out. */
  record Done(int attempt, Outcome outcome) implements TaskStanding {}
}
