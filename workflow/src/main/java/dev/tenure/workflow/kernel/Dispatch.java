package dev.tenure.workflow.kernel;

import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.operation.MessageGuid;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import java.util.Optional;

/** The effect that carries an operation out, now or after a recovery. */
final class Dispatch {
  private Dispatch() {}

  static Effect attempt(Operation operation) {
    return switch (operation.spec()) {
      case OperationSpec.Step step -> new Effect.RunStep(operation.id(), operation.attempt(), step);
      case OperationSpec.Activity activity ->
          new Effect.RunActivity(operation.id(), operation.attempt(), activity);
      case OperationSpec.Timer spec -> throw noAttempt(operation);
      case OperationSpec.SignalWait spec -> throw noAttempt(operation);
      case OperationSpec.Child spec -> throw noAttempt(operation);
      case OperationSpec.Message spec -> throw noAttempt(operation);
      case OperationSpec.Value spec -> throw noAttempt(operation);
      case OperationSpec.Cycle spec -> throw noAttempt(operation);
    };
  }

  private static IllegalArgumentException noAttempt(Operation operation) {
    return new IllegalArgumentException(operation.kind() + " is not attempted.");
  }

  /**
   * The effect of an operation that was scheduled in this commit. A timer has none: only the clock
   * decides.
   */
  static Optional<Effect> scheduled(Start start, OperationId id, OperationSpec spec) {
    return switch (spec) {
      case OperationSpec.Step step -> Optional.of(new Effect.RunStep(id, 1, step));
      case OperationSpec.Activity activity -> Optional.of(new Effect.RunActivity(id, 1, activity));
      case OperationSpec.SignalWait wait ->
          Optional.of(new Effect.LookForSignal(id, wait.signal()));
      case OperationSpec.Child child -> Optional.of(startChild(start, id, child));
      case OperationSpec.Message message -> Optional.of(send(start, id, message));
      case OperationSpec.Timer timer -> Optional.empty();
      case OperationSpec.Value value -> Optional.empty();
      case OperationSpec.Cycle cycle -> Optional.empty();
    };
  }

  /** The effect of an operation that an earlier owner may have carried out, or not. */
  static Optional<Effect> recovered(Start start, Operation operation) {
    return switch (operation.phase()) {
      case IN_FLIGHT -> Optional.of(attempt(operation));
      case SENDING, LET_GO ->
          operation.sent().isPresent()
              ? again(start, operation, operation.sent().get())
              : scheduled(start, operation.id(), operation.spec());
      case WAITING ->
          operation.spec() instanceof OperationSpec.SignalWait wait
              ? Optional.of(new Effect.LookForSignal(operation.id(), wait.signal()))
              : Optional.empty();
      case NEW, BACKING_OFF, GIVEN_UP, ANSWERED, COMPLETED, ABANDONED -> Optional.empty();
    };
  }

  /**
   * The effect of a message that an earlier run of the workflow sent, under the name that the run
   * gave it.
   */
  private static Optional<Effect> again(Start start, Operation operation, Operation.Sent sent) {
    return switch (operation.spec()) {
      case OperationSpec.Child child ->
          Optional.of(
              new Effect.StartChild(
                  operation.id(), new Origin(start.id(), sent.as(), sent.guid()), child));
      case OperationSpec.Message message ->
          Optional.of(new Effect.Send(sent.guid(), operation.id(), message));
      case OperationSpec.Step spec -> throw neverSent(operation);
      case OperationSpec.Activity spec -> throw neverSent(operation);
      case OperationSpec.Timer spec -> throw neverSent(operation);
      case OperationSpec.SignalWait spec -> throw neverSent(operation);
      case OperationSpec.Value spec -> throw neverSent(operation);
      case OperationSpec.Cycle spec -> throw neverSent(operation);
    };
  }

  private static IllegalStateException neverSent(Operation operation) {
    return new IllegalStateException(operation.kind() + " is not sent: " + operation.id());
  }

  private static Effect startChild(Start start, OperationId id, OperationSpec.Child child) {
    WorkflowId parent = start.id();
    return new Effect.StartChild(id, new Origin(parent, id, guid(start, id)), child);
  }

  private static Effect send(Start start, OperationId id, OperationSpec.Message message) {
    return new Effect.Send(guid(start, id), id, message);
  }

  /** The operation id under which the message was sent, by this run or by an earlier one. */
  static MessageGuid guidOf(Start start, Operation operation) {
    return operation.sent().map(Operation.Sent::guid).orElseGet(() -> guid(start, operation.id()));
  }

  static MessageGuid guid(Start start, OperationId id) {
    return MessageGuid.of(start.id(), start.runId(), id, 1);
  }
}
