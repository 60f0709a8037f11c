package dev.tenure.sharding.workflow;

import dev.tenure.workflow.operation.AttemptRef;
import dev.tenure.workflow.operation.OperationId;
import java.util.Optional;

/**
 * Which attempt at an operation a person means. What the person does not name is read before the
 * order is sent, so that an order that is sent again still means the same attempt.
 *
 * @param attempt as the open operations of the workflow show it: the one that is under way, or the
 *     next one
 */
public record RepairTarget(
    OperationId operation, Optional<String> runId, Optional<Integer> attempt) {

  /** What stands at the operation now. */
  public static RepairTarget of(OperationId operation) {
    return new RepairTarget(operation, Optional.empty(), Optional.empty());
  }

  /** This attempt and no other. */
  public static RepairTarget of(AttemptRef attempt) {
    return new RepairTarget(
        attempt.operation(), Optional.of(attempt.runId()), Optional.of(attempt.attempt()));
  }

  RepairTarget inRun(String run) {
    return new RepairTarget(operation, Optional.of(run), attempt);
  }

  /** When the person said all of it. */
  Optional<AttemptRef> named() {
    return runId.flatMap(run -> attempt.map(number -> new AttemptRef(run, operation, number)));
  }

  /** What is not named is taken from what stands there. */
  AttemptRef filledFrom(String standingRun, int standingAttempt) {
    return new AttemptRef(runId.orElse(standingRun), operation, attempt.orElse(standingAttempt));
  }
}
