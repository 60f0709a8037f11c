package dev.tenure.sharding.program;

import dev.tenure.workflow.kernel.Wishes;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.time.Instant;
import java.util.Optional;

/** How one attempt at a step came out that the program ran itself. */
public record StepEnd(OperationId operation, int attempt, Outcome outcome, Optional<Ahead> ahead) {

  /**
   * The program has already gone on with the outcome, as if it were committed: it has the turn
   * until {@link ProgramRun#follow}. If the outcome is not admitted at exactly this time, the run
   * is worthless and must be made anew.
   */
  public record Ahead(Instant at, Wishes wishes) {}
}
