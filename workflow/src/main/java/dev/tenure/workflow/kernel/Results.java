package dev.tenure.workflow.kernel;

import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Failure.OutsideEffect;
import dev.tenure.workflow.ParentClosePolicy;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.SeededRandom;
import dev.tenure.workflow.collation.ActivityLedger;
import dev.tenure.workflow.collation.Parent;
import dev.tenure.workflow.kernel.Intake.Verdict;
import dev.tenure.workflow.lifecycle.OperationPhase;
import dev.tenure.workflow.operation.MessageContent;
import dev.tenure.workflow.operation.MessageGuid;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Admits what the outside world answers to operations. An answer is news only for an open
 * operation, and only once.
 */
final class Results {
  private final Intake intake;
  private final ProvisionalState provisional;

  Results(Intake intake) {
    this.intake = intake;
    this.provisional = intake.provisional;
  }

  private static Verdict notOpen(OperationId id) {
    return Verdict.duplicate(
        new Reply.NotOpen("Operation " + id + " is not open: it came out before, or never was."));
  }

  private static Verdict notSuch(Operation operation) {
    return Verdict.refused(
        new Reply.NotOpen(
            "Operation %s is a %s: it has no such result."
                .formatted(operation.id(), operation.kind())));
  }

  Verdict attemptEnded(Command.AttemptEnded command) {
    Optional<Operation> found = provisional.find(command.operation());
    if (found.isEmpty()) return notOpen(command.operation());
    Operation operation = found.get();
    if (!(operation.spec() instanceof OperationSpec.Attempted attempted)) return notSuch(operation);
    if (command.attempt() > operation.attempt())
      return Verdict.refused(
          new Reply.NotOpen(
              "Attempt %d of %s was never made, it is at %d."
                  .formatted(command.attempt(), operation.id(), operation.attempt())));
    // An attempt that timed out, or whose failure is recorded, has been counted already.
    if (command.attempt() < operation.attempt() || operation.phase() != OperationPhase.IN_FLIGHT)
      return Verdict.duplicate(
          new Reply.NotOpen(
              "Attempt %d of %s is over.".formatted(command.attempt(), operation.id())));
    if (isExhausted(operation)) return Verdict.TAKEN;
    switch (command.outcome()) {
      case Outcome.Succeeded(var value) when Limits.isTooLargeToKeep(value) -> {
        String what = "The result of " + operation.id();
        came(operation, new Outcome.Failed(Limits.tooLargeToKeep(what, value)));
      }
      case Outcome.Succeeded succeeded -> came(operation, succeeded);
      case Outcome.Cancelled cancelled -> came(operation, cancelled);
      case Outcome.Terminated terminated -> came(operation, terminated);
      case Outcome.Failed(Failure failure) -> {
        Failure all = operation.ofAllAttempts(failure);
        failed(operation, attempted, all, new Outcome.Failed(all));
      }
      case Outcome.TimedOut(String what) ->
          failed(operation, attempted, timeout(what), command.outcome());
    }
    return Verdict.TAKEN;
  }

  static Failure timeout(String what) {
    return Failure.retryable(Failure.TIMEOUT, what);
  }

  /** An operation whose counter is full takes no message any more (I9): a person decides. */
  private boolean isExhausted(Operation operation) {
    if (operation.ledger().standing() != ActivityLedger.Standing.LEG2_EXHAUSTED) return false;
    if (!provisional.incident)
      intake.plan(
          new PlannedChange.Plain(
              new Event.IncidentRaised(
                  provisional.at,
                  new Incident.Ceiling(
                      Optional.of(operation.id()),
                      "it took as many answers as its counter has digits for; terminate it."))));
    provisional.incident = true;
    return true;
  }

  /** One attempt failed: the next one follows, or the operation ends with this failure. */
  void failed(
      Operation operation, OperationSpec.Attempted attempted, Failure failure, Outcome otherwise) {
    if (!attempted.retry().allowsAfter(operation.attemptThatCounts(), failure)) {
      exhausted(operation, attempted, failure, otherwise);
      return;
    }
    double chance =
        SeededRandom.of(
                provisional.state.start().seed(),
                operation.id().value() + '#' + operation.attempt())
            .chance();
    Instant retryAt =
        provisional.at.plus(attempted.retry().delayAfter(operation.attemptThatCounts(), chance));
    // No attempt is planned that could begin only after the time for all attempts.
    if (operation.isTotalTimeOver(attempted, retryAt)) {
      exhausted(operation, attempted, failure, otherwise);
      return;
    }
    attemptFailed(operation, failure, retryAt);
  }

  private void attemptFailed(Operation operation, Failure failure, Instant retryAt) {
    Instant at = provisional.at;
    intake.plan(
        PlannedChange.Message.on(
            operation,
            Parent.STAYS_OPEN,
            digits ->
                new Event.AttemptFailed(
                    at, operation.id(), operation.attempt(), failure, retryAt, digits)));
  }

  /** No more attempts: the operation ends with this failure, or a person decides (I8). */
  void exhausted(
      Operation operation, OperationSpec.Attempted attempted, Failure failure, Outcome otherwise) {
    // The workflow's code could not answer to an error of the JVM or of the code, and must not be
    // told of a failure that may be a success.
    boolean decidedByAPerson =
        failure.form() == Failure.Form.DEFECT || failure.outside() == OutsideEffect.UNPROVEN;
    if (attempted.retry().whenExhausted() == RetryPolicy.Exhaustion.FAILURE && !decidedByAPerson) {
      came(operation, otherwise);
      return;
    }
    int attempts = operation.attemptThatCounts();
    if (operation.phase() == OperationPhase.IN_FLIGHT)
      attemptFailed(operation, failure, provisional.at);
    else {
      attempts--;
      provisional.take(operation.id());
    }
    // Only the first of several raises the incident; the others are found when it is resolved.
    if (!provisional.incident)
      intake.plan(
          new PlannedChange.Plain(
              new Event.IncidentRaised(
                  provisional.at,
                  failure.outside() == OutsideEffect.UNPROVEN
                      ? new Incident.Indeterminate(operation.id(), attempts, failure)
                      : new Incident.OperationFailed(operation.id(), attempts, failure))));
    provisional.incident = true;
  }

  /** The operation has ended with this outcome. */
  void came(Operation operation, Outcome outcome) {
    Instant at = provisional.at;
    intake.plan(
        PlannedChange.Message.on(
            operation,
            Parent.CLOSES,
            digits -> new Event.Completed(at, operation.id(), outcome, digits)));
  }

  Verdict childAcknowledged(Command.ChildAcknowledged command) {
    Optional<Operation> found = provisional.find(command.operation());
    if (found.isEmpty()) return notOpen(command.operation());
    Operation operation = found.get();
    if (!(operation.spec() instanceof OperationSpec.Child child)) return notSuch(operation);
    Instant at = provisional.at;
    return switch (operation.phase()) {
      case SENDING -> {
        intake.plan(
            PlannedChange.Message.on(
                operation,
                Parent.STAYS_OPEN,
                digits -> new Event.ChildStarted(at, operation.id(), digits)));
        yield Verdict.TAKEN;
      }
      case LET_GO -> {
        acknowledgedAfterAll(operation, child);
        yield Verdict.TAKEN;
      }
      case WAITING, GIVEN_UP, ANSWERED ->
          Verdict.duplicate(new Reply.AlreadyDone("The child is known to run."));
      case NEW, IN_FLIGHT, BACKING_OFF, COMPLETED, ABANDONED -> notSuch(operation);
    };
  }

  /**
   * The child exists, and the program does not wait for it any more: now it can be told to stop.
   */
  private void acknowledgedAfterAll(Operation operation, OperationSpec.Child child) {
    Optional<OperationSpec.Message> notice =
        operation.afterwards().map(content -> Intake.notice(child, content));
    boolean staysObliged =
        child.onParentClose() == ParentClosePolicy.TERMINATE
            && operation.afterwards().orElse(null) instanceof MessageContent.Cancel;
    if (!staysObliged) {
      undone(operation, notice);
      return;
    }
    Instant at = provisional.at;
    intake.plan(
        PlannedChange.Message.on(
                operation,
                Parent.STAYS_OPEN,
                digits -> new Event.GivenUp(at, operation.id(), digits))
            .followedBy(notice));
  }

  /**
   * A message that the program let go is delivered now, and the messages that waited behind it may
   * go out.
   */
  private void undone(Operation operation, Optional<OperationSpec.Message> notice) {
    undone(operation, false, notice);
  }

  private void undone(
      Operation operation, boolean noChild, Optional<OperationSpec.Message> notice) {
    Instant at = provisional.at;
    intake.plan(
        PlannedChange.Message.on(
                operation,
                Parent.CLOSES,
                digits -> new Event.Abandoned(at, operation.id(), digits, noChild))
            .followedBy(notice));
  }

  Verdict childEnded(Command.ChildEnded command) {
    Optional<Operation> found = provisional.find(command.operation());
    if (found.isEmpty()) return notOpen(command.operation());
    Operation operation = found.get();
    if (!(operation.spec() instanceof OperationSpec.Child)) return notSuch(operation);
    if (operation.phase() == OperationPhase.ANSWERED) return notOpen(command.operation());
    // A child of an earlier run may report to an operation of the same name.
    MessageGuid sent = Dispatch.guidOf(provisional.state.start(), operation);
    if (command.started().isPresent() && !command.started().get().equals(sent))
      return notOpen(command.operation());
    switch (operation.phase()) {
      // A child that ended reports by which message it was started; a start that was refused has
      // nothing to say.
      case LET_GO ->
          undone(
              operation,
              command.started().isEmpty() && isUndeliverable(command.outcome()),
              Optional.empty());
      case GIVEN_UP -> undone(operation, Optional.empty());
      case NEW, IN_FLIGHT, BACKING_OFF, SENDING, WAITING, ANSWERED, COMPLETED, ABANDONED ->
          came(operation, command.outcome());
    }
    return Verdict.TAKEN;
  }

  /** Whether the event ends the operation, and the workflow has no child by it. */
  static boolean leavesNoChild(Operation before, Event.OfOperation event) {
    return switch (event) {
      case Event.Completed e ->
          before.spec() instanceof OperationSpec.Child
              && before.phase() == OperationPhase.SENDING
              && isUndeliverable(e.outcome());
      case Event.Abandoned e -> e.noChild();
      case Event.Scheduled e -> false;
      case Event.Spawned e -> false;
      case Event.Reentered e -> false;
      case Event.AttemptFailed e -> false;
      case Event.AttemptStarted e -> false;
      case Event.Retried e -> false;
      case Event.Concluded e -> false;
      case Event.ChildStarted e -> false;
      case Event.SignalConsumed e -> false;
      case Event.ValueRecorded e -> false;
      case Event.LetGo e -> false;
      case Event.GivenUp e -> false;
    };
  }

  /** Whether the child's start was refused instead of acknowledged. */
  private static boolean isUndeliverable(Outcome outcome) {
    return outcome instanceof Outcome.Failed(Failure failure)
        && failure.type().equals(Failure.UNDELIVERABLE);
  }

  Verdict messageAcknowledged(Command.MessageAcknowledged command) {
    Optional<Operation> found = provisional.find(command.operation());
    if (found.isEmpty()) return notOpen(command.operation());
    Operation operation = found.get();
    if (!(operation.spec() instanceof OperationSpec.Message)) return notSuch(operation);
    if (operation.phase() == OperationPhase.ANSWERED) return notOpen(command.operation());
    if (operation.phase() == OperationPhase.LET_GO) undone(operation, Optional.empty());
    else came(operation, command.outcome());
    return Verdict.TAKEN;
  }

  Verdict signals(Command.Signals command) {
    if (provisional.isOver())
      return Verdict.ignored("The workflow has ended; its inbox is closed.");
    Map<String, Long> seen = new HashMap<>(4);
    Set<String> left = new HashSet<>(4);
    boolean any = false;
    for (Command.Arrival arrival : command.arrivals()) {
      Long before = seen.put(arrival.signal(), arrival.position());
      if (before != null && before >= arrival.position())
        throw new IllegalArgumentException(
            "Signals %s at %d and %d are out of order: hand them over as the inbox has them (I14)."
                .formatted(arrival.signal(), before, arrival.position()));
      // A reader that is behind may show a signal again that was consumed.
      if (provisional.isConsumed(arrival.signal(), arrival.position())) continue;
      // Behind a signal that stays in the inbox, none of the same name may be taken.
      if (left.contains(arrival.signal())) continue;
      if (provisional.isBehindReturned(arrival.signal(), arrival.position())) continue;
      Optional<Operation> waiting = provisional.waitingFor(arrival.signal());
      if (waiting.isEmpty() || isExhausted(waiting.get())) left.add(arrival.signal());
      else {
        consume(waiting.get(), arrival);
        any = true;
      }
    }
    return any ? Verdict.TAKEN : Verdict.ignored("No operation waits for these signals now.");
  }

  private void consume(Operation operation, Command.Arrival arrival) {
    provisional.consume(arrival.signal(), arrival.position());
    Instant at = provisional.at;
    intake.plan(
        PlannedChange.Message.on(
            operation,
            Parent.CLOSES,
            digits -> new Event.SignalConsumed(at, operation.id(), arrival, digits)));
  }
}
