package dev.tenure.sharding.program;

import dev.tenure.workflow.kernel.Wishes;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.time.Instant;
import java.util.Optional;

/** The outcome of an attempt at a step that the program ran itself. */
public record StepEnd(OperationId operation, int attempt, Outcome outcome, Optional<Ahead> ahead) {

  /**
   * The program has already gone on with the outcome, as if it were committed, and has the turn
   * until {@link ProgramRun#follow}. If the outcome is not admitted at exactly this time, the owner
   * must make a new run from the history.
   */
  public record Ahead(Instant at, Wishes wishes) {}
}
