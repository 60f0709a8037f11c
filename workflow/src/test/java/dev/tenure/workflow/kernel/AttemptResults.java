package dev.tenure.workflow.kernel;

import dev.tenure.workflow.Failure;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.util.random.RandomGenerator;

/** How attempts come out in a {@link Universe}. */
final class AttemptResults {
  private AttemptResults() {}

  static Command any(RandomGenerator random, boolean faults, Effect.RunStep run) {
    return any(random, faults, run.operation(), run.attempt());
  }

  static Command any(RandomGenerator random, boolean faults, Effect.RunActivity run) {
    return any(random, faults, run.operation(), run.attempt());
  }

  private static Command any(
      RandomGenerator random, boolean faults, OperationId operation, int attempt) {
    Outcome outcome =
        switch (faults ? random.nextInt(8) : 7) {
          case 0, 1 -> new Outcome.Failed(Failure.retryable("java.io.IOException", "reset"));
          case 2 ->
              random.nextInt(3) == 0
                  ? new Outcome.Failed(Failure.permanent("Declined", "no"))
                  : new Outcome.TimedOut("late");
          default -> new Outcome.Succeeded(Script.text(operation + "!"));
        };
    return new Command.AttemptEnded(operation, attempt, outcome);
  }
}
