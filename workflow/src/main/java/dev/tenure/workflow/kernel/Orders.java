package dev.tenure.workflow.kernel;

import dev.tenure.workflow.collation.ActivityLedger;
import dev.tenure.workflow.collation.Limit;
import dev.tenure.workflow.kernel.Intake.Verdict;
import dev.tenure.workflow.lifecycle.OperationPhase;
import dev.tenure.workflow.operation.MessageGuid;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What people and owners tell a workflow as a whole. */
final class Orders {
  private final Intake intake;
  private final Draft draft;

  Orders(Intake intake) {
    this.intake = intake;
    this.draft = intake.draft;
  }

  private Verdict alreadyEnded() {
    Outcome outcome = draft.outcome.orElseThrow();
    return Verdict.refused(new Reply.AlreadyEnded(Status.of(outcome), outcome));
  }

  private static Verdict alreadyDone(String what) {
    return Verdict.duplicate(new Reply.AlreadyDone(what));
  }

  /** Messages to the run itself are counted too, and the last digits are kept for its end. */
  private Optional<Verdict> runIsFull() {
    ActivityLedger run = draft.state.run;
    long reserved = 1_000;
    if (run.leg2Entries() < Limit.LEG2_ENTRIES.largest() - reserved) return Optional.empty();
    return Optional.of(
        Verdict.refused(
            new Reply.LimitReached(
                "LEG2_ENTRIES",
                run.leg2Entries(),
                Limit.LEG2_ENTRIES.largest(),
                "Start a new workflow for what follows; this one can only be terminated.")));
  }

  /** A parent speaks of the child that it started, and not of a run that took its place. */
  private boolean isAnotherRun(Optional<MessageGuid> child) {
    return child.isPresent()
        && !child.equals(draft.state.start().origin().map(origin -> origin.guid()));
  }

  private static Verdict anotherRun() {
    return alreadyDone("The child that is meant is over, and another start has its id.");
  }

  Verdict cancel(Command.Cancel command) {
    if (isAnotherRun(command.child())) return anotherRun();
    if (draft.isOver()) return alreadyEnded();
    if (draft.deadlinePassed) return alreadyDone("The workflow's time is over, and it stops.");
    if (draft.cancelRequested) return alreadyDone("The workflow was asked to cancel before.");
    Optional<Verdict> full = runIsFull();
    if (full.isPresent()) return full.get();
    Instant at = draft.at;
    intake.move(
        Move.Message.onRun(digits -> new Event.CancelRequested(at, command.reason(), digits)));
    draft.cancelRequested = true;
    return Verdict.TAKEN;
  }

  Verdict terminate(Command.Terminate command) {
    if (isAnotherRun(command.child())) return anotherRun();
    if (draft.isOver()) return alreadyEnded();
    intake.end(new Outcome.Terminated(command.reason()));
    return Verdict.TAKEN;
  }

  Verdict pause(Command.Pause command) {
    if (draft.isOver()) return alreadyEnded();
    if (draft.paused) return alreadyDone("The workflow is paused.");
    intake.move(new Move.Plain(new Event.Paused(draft.at, command.reason())));
    draft.paused = true;
    draft.pauseReason = command.reason();
    return Verdict.TAKEN;
  }

  Verdict resume() {
    if (draft.isOver()) return alreadyEnded();
    if (!draft.paused) return alreadyDone("The workflow is not paused.");
    Optional<Verdict> full = runIsFull();
    if (full.isPresent()) return full.get();
    Instant at = draft.at;
    draft.paused = false;
    intake.move(Move.Message.onRun(digits -> new Event.Resumed(at, digits)));
    intake.release();
    return Verdict.TAKEN;
  }

  Verdict update(Command.Update command) {
    Optional<Outcome> answer =
        Optional.ofNullable(draft.state.answeredUpdates.get(command.updateId()));
    if (draft.isOtherUpdate(command))
      return Verdict.refused(new Reply.UpdateConflict(command.updateId()));
    if (answer.isPresent())
      return Verdict.duplicate(new Reply.UpdateAnswered(command.updateId(), answer.get()));
    if (draft.isPendingUpdate(command.updateId()))
      return Verdict.duplicate(new Reply.UpdatePending(command.updateId()));
    if (draft.isOver()) return alreadyEnded();
    if (Limits.isTooLarge(command.payload()))
      return Verdict.refused(
          new Reply.LimitReached(
              "PAYLOAD_BYTES_MAX",
              command.payload().size(),
              Limits.PAYLOAD_BYTES_MAX,
              "Keep the value elsewhere and pass a reference."));
    if (draft.pendingUpdates() >= Limits.PENDING_UPDATES_MAX)
      return Verdict.refused(
          new Reply.LimitReached(
              "PENDING_UPDATES_MAX",
              draft.pendingUpdates() + 1L,
              Limits.PENDING_UPDATES_MAX,
              "Send it again when others are answered."));
    Optional<Verdict> full = runIsFull();
    if (full.isPresent()) return full.get();
    Instant at = draft.at;
    intake.move(
        Move.Message.onRun(
            digits ->
                new Event.UpdateAdmitted(
                    at, command.updateId(), command.name(), command.payload(), digits)));
    draft.admitUpdate(command);
    return new Verdict.Taken(new Reply.UpdatePending(command.updateId()));
  }

  Verdict block(Command.Block command) {
    if (draft.isOver()) return Verdict.ignored("The workflow has ended and needs no code.");
    if (draft.state.blocked.equals(Optional.of(command.reason())))
      return alreadyDone("The workflow is blocked.");
    intake.move(new Move.Plain(new Event.Blocked(draft.at, command.reason())));
    draft.blocked = true;
    return Verdict.TAKEN;
  }

  Verdict raise(Command.RaiseIncident command) {
    if (draft.isOver()) return Verdict.ignored("The workflow has ended.");
    if (draft.state.incident.equals(Optional.of(command.incident())))
      return alreadyDone("The incident is raised.");
    intake.move(new Move.Plain(new Event.IncidentRaised(draft.at, command.incident())));
    draft.incident = true;
    return Verdict.TAKEN;
  }

  Verdict resolve(String note, Optional<Integer> version) {
    if (draft.isOver()) return alreadyEnded();
    if (!draft.incident) return alreadyDone("There is no incident.");
    Optional<Verdict> full = runIsFull();
    if (full.isPresent()) return full.get();
    Instant at = draft.at;
    intake.bringsProgram();
    draft.incident = false;
    intake.move(Move.Message.onRun(digits -> new Event.IncidentResolved(at, note, digits)));
    // Only its code can resolve it, so the code is here. What else it lacks will block it again.
    if (draft.blocked) {
      draft.blocked = false;
      intake.move(Move.Message.onRun(digits -> new Event.Unblocked(at, digits)));
    }
    version.ifPresent(
        number ->
            intake.move(
                Move.Message.onRun(digits -> new Event.Repinned(at, number, note, digits))));
    intake.release();
    tryAgain();
    handOut(Exhausted.GOES_ON, Set.of());
    return Verdict.TAKEN;
  }

  Verdict move(Command.MoveToVersion command) {
    if (draft.isOver()) return alreadyEnded();
    if (draft.state.start().type().version() == command.version() && !draft.incident)
      return alreadyDone("The run is one of that version.");
    Optional<Verdict> full = runIsFull();
    if (full.isPresent()) return full.get();
    Instant at = draft.at;
    intake.bringsProgram();
    draft.incident = false;
    draft.blocked = false;
    intake.move(
        Move.Message.onRun(
            digits -> new Event.Repinned(at, command.version(), command.note(), digits)));
    intake.release();
    tryAgain();
    handOut(Exhausted.GOES_ON, Set.of());
    return Verdict.TAKEN;
  }

  /** What the workflow stood still for is tried again, with its attempts counted anew. */
  private void tryAgain() {
    if (draft.state.incident.orElse(null) instanceof Incident.OperationFailed failed)
      draft
          .find(failed.operation())
          .filter(operation -> operation.phase() == OperationPhase.BACKING_OFF)
          .ifPresent(this::tryAgain);
  }

  private void tryAgain(Operation operation) {
    draft.take(operation.id());
    intake.move(new Move.Plain(new Event.Retried(draft.at, operation.id())));
  }

  Verdict retry(OperationId id) {
    if (draft.isOver()) return alreadyEnded();
    Optional<Operation> found = draft.find(id);
    if (found.isEmpty())
      return Verdict.refused(
          new Reply.NotOpen(
              "Operation %s is not open: it came out before, or never was. A fork runs it again."
                  .formatted(id)));
    Operation operation = found.get();
    if (!(operation.spec() instanceof OperationSpec.Attempted))
      return Verdict.refused(
          new Reply.NotOpen(
              "Operation %s is a %s: there are no attempts at it."
                  .formatted(id, operation.kind())));
    if (operation.phase() != OperationPhase.BACKING_OFF)
      return alreadyDone("An attempt at operation " + id + " is under way.");
    if (draft.incident && draft.state.standsStillFor(id))
      return resolve("Tried again: " + id, Optional.empty());
    tryAgain(operation);
    return Verdict.TAKEN;
  }

  Verdict recovered(Set<OperationId> cameOut) {
    if (draft.isOver()) {
      handOut(Exhausted.GOES_ON, cameOut);
      return Verdict.TAKEN;
    }
    if (draft.incident) return Verdict.ignored("Resolve the incident first.");
    if (draft.blocked) {
      Optional<Verdict> full = runIsFull();
      if (full.isPresent()) return full.get();
      Instant at = draft.at;
      draft.blocked = false;
      intake.move(Move.Message.onRun(digits -> new Event.Unblocked(at, digits)));
      intake.release();
    }
    intake.bringsProgram();
    handOut(Exhausted.NEEDS_A_PERSON, cameOut);
    return Verdict.TAKEN;
  }

  /** What becomes of an operation that was handed out 99 times and never came back. */
  private enum Exhausted {
    NEEDS_A_PERSON,
    GOES_ON
  }

  /**
   * What was in flight with the old owner goes out again. That it does is counted and committed
   * first: a step that brings its process down would otherwise do so for ever.
   */
  private void handOut(Exhausted exhausted, Set<OperationId> cameOut) {
    List<Event.Redelivery> counted = new ArrayList<>();
    List<Effect> effects = new ArrayList<>();
    for (Operation operation : draft.state.openOperations()) {
      if (draft.isTaken(operation.id()) || cameOut.contains(operation.id())) continue;
      if (operation.phase() == OperationPhase.IN_FLIGHT) {
        boolean full = operation.ledger().leg1Attempts() >= Limit.LEG1_ATTEMPTS.largest();
        if (full && exhausted == Exhausted.NEEDS_A_PERSON) {
          raiseCeiling(operation);
          return;
        }
        ActivityLedger after = full ? operation.ledger() : operation.ledger().enterLeg1().orThrow();
        counted.add(new Event.Redelivery(operation.id(), after));
      }
      Dispatch.recovered(draft.state.start(), operation).ifPresent(effects::add);
    }
    if (!counted.isEmpty()) intake.move(new Move.Plain(new Event.Redelivered(draft.at, counted)));
    effects.forEach(intake::effect);
  }

  private void raiseCeiling(Operation operation) {
    Incident incident =
        new Incident.Ceiling(
            Optional.of(operation.id()),
            "it was handed out %d times and its owner never survived it. Mend it, then resolve."
                .formatted(operation.ledger().leg1Attempts()));
    intake.move(new Move.Plain(new Event.IncidentRaised(draft.at, incident)));
    draft.incident = true;
  }
}
