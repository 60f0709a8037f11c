package dev.tenure.workflow.kernel;

import dev.tenure.workflow.Payload;
import dev.tenure.workflow.operation.Outcome;

/** What stands on record for an outcome that a program says. */
final class RecordedOutcome {
  private RecordedOutcome() {}

  /**
   * Of the program's run. One that stopped because its time was over counts as timed out, and not
   * as cancelled.
   */
  static Outcome ofRun(Outcome outcome, ProvisionalState provisional) {
    return switch (outcome) {
      case Outcome.Succeeded(Payload value) when Limits.isTooLarge(value) ->
          new Outcome.Failed(Limits.tooLarge("The workflow's result", value));
      case Outcome.Cancelled _ when provisional.deadlinePassed && !provisional.cancelRequested ->
          new Outcome.TimedOut(Limits.DEADLINE);
      case Outcome.Succeeded _,
          Outcome.Failed _,
          Outcome.Cancelled _,
          Outcome.Terminated _,
          Outcome.TimedOut _ ->
          outcome;
    };
  }

  /** Of an update. */
  static Outcome fitting(Outcome outcome, KernelLimits limits) {
    return outcome instanceof Outcome.Succeeded(Payload value)
            && value.size() > limits.updateAnswerBytes()
        ? new Outcome.Failed(
            Limits.tooLarge(
                "The answer", value.size(), "UPDATE_ANSWER_BYTES_MAX", limits.updateAnswerBytes()))
        : outcome;
  }
}
