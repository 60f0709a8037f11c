package dev.tenure.workflow.kernel;

import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Failure.OutsideEffect;
import dev.tenure.workflow.operation.MessageGuid;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import java.util.Optional;

/** The effect that carries an operation out, now or after a recovery. */
final class Dispatch {
  private Dispatch() {}

  /** The attempt that follows on one that failed. */
  static Effect nextAttempt(Operation operation) {
    if (!(operation.spec() instanceof OperationSpec.Attempted spec))
      throw new IllegalArgumentException(operation.kind() + " is not attempted.");
    boolean none =
        operation.lastFailure().map(Failure::outside).orElse(OutsideEffect.POSSIBLE)
            == OutsideEffect.NONE;
    return attempt(operation, spec, none ? Effect.Proof.GIVEN : Effect.Proof.NEEDED);
  }

  private static Effect attempt(
      Operation operation, OperationSpec.Attempted spec, Effect.Proof proof) {
    return Effect.RunAttempt.of(operation.id(), operation.attempt(), spec, proof);
  }

  /**
   * The effect of an operation that was scheduled in this commit. A timer has none: only the clock
   * decides.
   */
  static Optional<Effect> scheduled(Start start, Operation operation) {
    return effect(start, operation, Effect.Proof.GIVEN);
  }

  private static Optional<Effect> effect(Start start, Operation operation, Effect.Proof proof) {
    return switch (operation.spec()) {
      case OperationSpec.Attempted spec -> Optional.of(attempt(operation, spec, proof));
      case OperationSpec.SignalWait wait ->
          Optional.of(new Effect.LookForSignal(operation.id(), wait.signal()));
      case OperationSpec.Delivered spec -> Optional.of(deliver(start, operation, spec));
      case OperationSpec.Timer _, OperationSpec.Recorded _ -> Optional.empty();
    };
  }

  /** The effect of an operation that an earlier owner may have carried out, or not. */
  static Optional<Effect> recovered(Start start, Operation operation) {
    return switch (operation.phase()) {
      case IN_FLIGHT, SENDING, LET_GO -> effect(start, operation, Effect.Proof.NEEDED);
      // A child that is known to run is not started again.
      case WAITING ->
          operation.spec() instanceof OperationSpec.Awaited
              ? effect(start, operation, Effect.Proof.NEEDED)
              : Optional.empty();
      case NEW, BACKING_OFF, GIVEN_UP, ANSWERED, COMPLETED, ABANDONED -> Optional.empty();
    };
  }

  private static Effect deliver(Start start, Operation operation, OperationSpec.Delivered spec) {
    OperationId id = operation.id();
    // What an earlier run of the workflow sent has the name that the run gave it.
    OperationId as = operation.sent().map(Operation.Sent::as).orElse(id);
    MessageGuid guid = guidOf(start, operation);
    return switch (spec) {
      case OperationSpec.Child child ->
          new Effect.StartChild(id, new Origin(start.id(), as, guid), child);
      case OperationSpec.Message message -> new Effect.Send(guid, id, message);
    };
  }

  /** The operation id under which the message was sent, by this run or by an earlier one. */
  static MessageGuid guidOf(Start start, Operation operation) {
    return operation.sent().map(Operation.Sent::guid).orElseGet(() -> guid(start, operation.id()));
  }

  static MessageGuid guid(Start start, OperationId id) {
    return MessageGuid.of(start.id(), start.runId(), id, 1);
  }
}
