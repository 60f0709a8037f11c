package dev.tenure.workflow.kernel;

import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Failure.OutsideEffect;
import dev.tenure.workflow.operation.AttemptRef;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.util.random.RandomGenerator;

/** How attempts come out in a {@link Universe}. */
final class AttemptResults {
  private AttemptResults() {}

  static Command any(RandomGenerator random, boolean faults, Effect.RunStep run) {
    return ended(run, any(random, faults, run.operation()));
  }

  /** What is known of its effect is said of a keyed call only. */
  static Command any(RandomGenerator random, boolean faults, Effect.RunActivity run) {
    Outcome outcome = any(random, faults, run.operation());
    if (run.spec().isKeyed() && outcome instanceof Outcome.Failed(Failure failure)) {
      OutsideEffect[] all = OutsideEffect.values();
      return ended(run, new Outcome.Failed(failure.with(all[random.nextInt(all.length)])));
    }
    return ended(run, outcome);
  }

  private static Command ended(Effect.RunAttempt run, Outcome outcome) {
    return new Command.AttemptEnded(run.operation(), run.attempt(), outcome);
  }

  private static Outcome any(RandomGenerator random, boolean faults, OperationId operation) {
    return switch (faults ? random.nextInt(8) : 7) {
      case 0, 1 -> new Outcome.Failed(Failure.retryable("java.io.IOException", "reset"));
      case 2 ->
          random.nextInt(3) == 0
              ? new Outcome.Failed(Failure.permanent("Declined", "no"))
              : new Outcome.TimedOut("late");
      default -> new Outcome.Succeeded(Script.text(operation + "!"));
    };
  }

  /** A person has looked up how it came out, and may have copied what the incident says. */
  static Command concluded(RandomGenerator random, AttemptRef seen) {
    Failure failure = ActivityCalls.UNPROVEN.as(Failure.Form.DEFECT);
    Outcome outcome =
        random.nextInt(3) == 0
            ? new Outcome.Failed(failure)
            : new Outcome.Succeeded(Script.text(seen.operation() + "?"));
    return new Command.Conclude(seen, outcome, "looked it up");
  }
}
