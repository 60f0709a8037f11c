package dev.tenure.workflow.kernel;

import dev.tenure.workflow.operation.MessageGuid;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;

/**
 * What to do once the commit stands, never before (I7). All of it may be done again after a crash:
 * receivers recognise repetitions by operation and attempt, or by GUID.
 */
public sealed interface Effect {
  /** Carries an attempt out; it is answered with {@link Command.AttemptEnded}. */
  sealed interface RunAttempt extends Effect {
    OperationId operation();

    int attempt();

    static RunAttempt of(
        OperationId operation, int attempt, OperationSpec.Attempted spec, Proof proof) {
      return switch (spec) {
        case OperationSpec.Step step -> new RunStep(operation, attempt, step);
        case OperationSpec.Activity activity ->
            new RunActivity(operation, attempt, activity, proof);
      };
    }
  }

  /** Goes to another workflow, in the order in which it was asked for. */
  sealed interface Deliver extends Effect {
    OperationId operation();
  }

  record RunStep(OperationId operation, int attempt, OperationSpec.Step spec)
      implements RunAttempt {}

  /** Whether a keyed activity is run only when it is proven that it had no effect before. */
  enum Proof {
    /** An earlier attempt, or this one on a node that was lost, may have had its effect. */
    NEEDED,
    /** No attempt of it had an effect, or a person said that it is to be run all the same. */
    GIVEN
  }

  /**
   * @param proof of a keyed activity; one without a key needs none
   */
  record RunActivity(OperationId operation, int attempt, OperationSpec.Activity spec, Proof proof)
      implements RunAttempt {}

  /** The workflow does not need this attempt's result any more. */
  record StopAttempt(OperationId operation, int attempt) implements Effect {}

  /** The code waits for a signal of this name: read the inbox now, and when a signal arrives. */
  record LookForSignal(OperationId operation, String signal) implements Effect {}

  /**
   * Send it again until it can be answered with {@link Command.ChildAcknowledged} or, when the id
   * is taken, with {@link Command.ChildEnded}.
   *
   * @param operation what it is answered as; an earlier run may have called it otherwise
   */
  record StartChild(OperationId operation, Origin origin, OperationSpec.Child spec)
      implements Deliver {}

  /** Send it again until it can be answered with {@link Command.MessageAcknowledged}. */
  record Send(MessageGuid guid, OperationId operation, OperationSpec.Message spec)
      implements Deliver {}

  /** The clients that wait for the update get its answer; later ones get it from the state. */
  record AnswerUpdate(String updateId, Outcome outcome) implements Effect {}

  /** The clients that wait for the outcome get it. */
  record AnnounceEnd(Status status, Outcome outcome) implements Effect {}
}
