package dev.tenure.client;

import java.util.Optional;

/** A workflow ended without a result: it failed, was cancelled or terminated, or timed out. */
public final class WorkflowFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient WorkflowOutcome outcome;

  WorkflowFailedException(WorkflowOutcome outcome) {
    super(
        "Workflow \"%s\" has no result, it is %s: %s"
            .formatted(
                outcome.workflowId(),
                outcome.status().word(),
                outcome
                    .failure()
                    .map(Failure::toString)
                    .or(outcome::reason)
                    .orElse("no reason given")));
    this.outcome = outcome;
  }

  public WorkflowOutcome outcome() {
    return outcome;
  }

  public WorkflowStatus status() {
    return outcome.status();
  }

  /** The word for machines that the workflow's code gave. */
  public Optional<String> code() {
    return outcome.failure().flatMap(Failure::code);
  }
}
