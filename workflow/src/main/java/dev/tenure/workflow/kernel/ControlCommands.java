package dev.tenure.workflow.kernel;

import dev.tenure.workflow.Failure;
import dev.tenure.workflow.collation.ActivityLedger;
import dev.tenure.workflow.collation.Limit;
import dev.tenure.workflow.kernel.Intake.Verdict;
import dev.tenure.workflow.lifecycle.OperationPhase;
import dev.tenure.workflow.operation.MessageGuid;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Admits the commands of people and of owners to a workflow as a whole: cancel, terminate, pause,
 * update, incidents, versions.
 */
final class ControlCommands {
  private final Intake intake;
  private final ProvisionalState provisional;
  private final OperationRepairs repairs;

  ControlCommands(Intake intake) {
    this.intake = intake;
    this.provisional = intake.provisional;
    this.repairs =
        new OperationRepairs(intake, (note, goesOn) -> resolve(note, Optional.empty(), goesOn));
  }

  Verdict take(Command.Order command) {
    return switch (command) {
      case Command.Cancel c -> cancel(c);
      case Command.Terminate c -> terminate(c);
      case Command.Pause c -> pause(c);
      case Command.Resume c -> resume();
      case Command.Update c -> update(c);
      case Command.ResolveIncident c -> resolve(c.note(), c.version());
      case Command.Retry c -> provisional.isOver() ? alreadyEnded() : repairs.retry(c);
      case Command.Conclude c -> provisional.isOver() ? alreadyEnded() : repairs.conclude(c);
      case Command.MoveToVersion c -> move(c);
    };
  }

  private Verdict alreadyEnded() {
    Outcome outcome = provisional.outcome.orElseThrow();
    return Verdict.refused(new Reply.AlreadyEnded(Status.of(outcome), outcome));
  }

  private static Verdict alreadyDone(String what) {
    return Verdict.duplicate(new Reply.AlreadyDone(what));
  }

  /**
   * Messages to the run are counted as well. The last 1,000 numbers are reserved so that the run
   * can always be ended.
   */
  private Optional<Verdict> runIsFull() {
    ActivityLedger run = provisional.state.run;
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

  /** A parent means the child that it started, and not another run that took the child's id. */
  private boolean isAnotherRun(Optional<MessageGuid> child) {
    return child.isPresent()
        && !child.equals(provisional.state.start().origin().map(origin -> origin.guid()));
  }

  private static Verdict anotherRun() {
    return alreadyDone("The child that is meant is over, and another start has its id.");
  }

  private Verdict cancel(Command.Cancel command) {
    if (isAnotherRun(command.child())) return anotherRun();
    if (provisional.isOver()) return alreadyEnded();
    if (provisional.deadlinePassed)
      return alreadyDone("The workflow's time is over, and it stops.");
    if (provisional.cancelRequested) return alreadyDone("The workflow was asked to cancel before.");
    Optional<Verdict> full = runIsFull();
    if (full.isPresent()) return full.get();
    Instant at = provisional.at;
    intake.plan(
        PlannedChange.Message.onRun(
            digits -> new Event.CancelRequested(at, command.reason(), digits)));
    provisional.cancelRequested = true;
    return Verdict.TAKEN;
  }

  private Verdict terminate(Command.Terminate command) {
    if (isAnotherRun(command.child())) return anotherRun();
    if (provisional.isOver()) return alreadyEnded();
    intake.end(new Outcome.Terminated(command.reason()));
    return Verdict.TAKEN;
  }

  private Verdict pause(Command.Pause command) {
    if (provisional.isOver()) return alreadyEnded();
    if (provisional.paused) return alreadyDone("The workflow is paused.");
    intake.plan(new PlannedChange.Plain(new Event.Paused(provisional.at, command.reason())));
    provisional.paused = true;
    provisional.pauseReason = command.reason();
    return Verdict.TAKEN;
  }

  private Verdict resume() {
    if (provisional.isOver()) return alreadyEnded();
    if (!provisional.paused) return alreadyDone("The workflow is not paused.");
    Optional<Verdict> full = runIsFull();
    if (full.isPresent()) return full.get();
    Instant at = provisional.at;
    provisional.paused = false;
    intake.plan(PlannedChange.Message.onRun(digits -> new Event.Resumed(at, digits)));
    intake.release();
    return Verdict.TAKEN;
  }

  private Verdict update(Command.Update command) {
    Optional<Outcome> answer =
        Optional.ofNullable(provisional.state.updates.answered().get(command.updateId()));
    if (provisional.isOtherUpdate(command))
      return Verdict.refused(new Reply.UpdateConflict(command.updateId()));
    if (answer.isPresent())
      return Verdict.duplicate(new Reply.UpdateAnswered(command.updateId(), answer.get()));
    if (provisional.isPendingUpdate(command.updateId()))
      return Verdict.duplicate(new Reply.UpdatePending(command.updateId()));
    if (provisional.isOver()) return alreadyEnded();
    if (Limits.isTooLarge(command.payload()))
      return Verdict.refused(
          new Reply.LimitReached(
              "PAYLOAD_BYTES_MAX",
              command.payload().size(),
              Limits.PAYLOAD_BYTES_MAX,
              "Keep the value elsewhere and pass a reference."));
    if (provisional.pendingUpdates() >= provisional.limits.pendingUpdates())
      return Verdict.refused(
          new Reply.LimitReached(
              "PENDING_UPDATES_MAX",
              provisional.pendingUpdates() + 1L,
              provisional.limits.pendingUpdates(),
              "Send it again when others are answered."));
    Optional<Verdict> full = runIsFull();
    if (full.isPresent()) return full.get();
    Instant at = provisional.at;
    intake.plan(
        PlannedChange.Message.onRun(
            digits ->
                new Event.UpdateAdmitted(
                    at, command.updateId(), command.name(), command.payload(), digits)));
    provisional.admitUpdate(command);
    return new Verdict.Taken(new Reply.UpdatePending(command.updateId()));
  }

  Verdict block(Command.Block command) {
    if (provisional.isOver()) return Verdict.ignored("The workflow has ended and needs no code.");
    if (provisional.state.blocked.equals(Optional.of(command.reason())))
      return alreadyDone("The workflow is blocked.");
    intake.plan(new PlannedChange.Plain(new Event.Blocked(provisional.at, command.reason())));
    provisional.blocked = true;
    return Verdict.TAKEN;
  }

  Verdict differs(Command.ResourceDiffers command) {
    if (provisional.isOver()) return Verdict.ignored("The workflow has ended.");
    intake.end(
        new Outcome.Failed(
            Failure.permanent(
                Failure.RESOURCE_DIFFERS,
                "What activity %s did is not there any more: %s"
                    .formatted(command.operation(), command.evidence()))));
    return Verdict.TAKEN;
  }

  Verdict raise(Command.RaiseIncident command) {
    if (provisional.isOver()) return Verdict.ignored("The workflow has ended.");
    if (provisional.state.incident.equals(Optional.of(command.incident())))
      return alreadyDone("The incident is raised.");
    intake.plan(
        new PlannedChange.Plain(new Event.IncidentRaised(provisional.at, command.incident())));
    provisional.incident = true;
    return Verdict.TAKEN;
  }

  private Verdict resolve(String note, Optional<Integer> version) {
    return resolve(note, version, () -> repairs.tryAgain(false));
  }

  /**
   * @param goesOn decides about the operation that the incident is about
   */
  private Verdict resolve(String note, Optional<Integer> version, Runnable goesOn) {
    if (provisional.isOver()) return alreadyEnded();
    if (!provisional.incident) return alreadyDone("There is no incident.");
    Optional<Verdict> full = runIsFull();
    if (full.isPresent()) return full.get();
    Instant at = provisional.at;
    intake.bringsProgram();
    provisional.incident = false;
    intake.plan(
        PlannedChange.Message.onRun(digits -> new Event.IncidentResolved(at, note, digits)));
    // An incident is resolved together with the code, so the code is here. What the workflow lacks
    // otherwise blocks it again.
    if (provisional.blocked) {
      provisional.blocked = false;
      intake.plan(PlannedChange.Message.onRun(digits -> new Event.Unblocked(at, digits)));
    }
    version.ifPresent(
        number ->
            intake.plan(
                PlannedChange.Message.onRun(
                    digits -> new Event.Repinned(at, number, note, digits))));
    intake.release();
    goesOn.run();
    handOut(Exhausted.GOES_ON, Set.of());
    return Verdict.TAKEN;
  }

  private Verdict move(Command.MoveToVersion command) {
    if (provisional.isOver()) return alreadyEnded();
    if (provisional.state.start().type().version() == command.version() && !provisional.incident)
      return alreadyDone("The run is one of that version.");
    Optional<Verdict> full = runIsFull();
    if (full.isPresent()) return full.get();
    Instant at = provisional.at;
    intake.bringsProgram();
    provisional.incident = false;
    provisional.blocked = false;
    intake.plan(
        PlannedChange.Message.onRun(
            digits -> new Event.Repinned(at, command.version(), command.note(), digits)));
    intake.release();
    repairs.tryAgain(false);
    handOut(Exhausted.GOES_ON, Set.of());
    return Verdict.TAKEN;
  }

  Verdict recovered(Set<OperationId> cameOut) {
    if (provisional.isOver()) {
      handOut(Exhausted.GOES_ON, cameOut);
      return Verdict.TAKEN;
    }
    if (provisional.incident) return Verdict.ignored("Resolve the incident first.");
    if (provisional.blocked) {
      Optional<Verdict> full = runIsFull();
      if (full.isPresent()) return full.get();
      Instant at = provisional.at;
      provisional.blocked = false;
      intake.plan(PlannedChange.Message.onRun(digits -> new Event.Unblocked(at, digits)));
      intake.release();
    }
    intake.bringsProgram();
    handOut(Exhausted.NEEDS_A_PERSON, cameOut);
    return Verdict.TAKEN;
  }

  /** What happens to an operation that was handed out 99 times and never came back. */
  private enum Exhausted {
    NEEDS_A_PERSON,
    GOES_ON
  }

  /**
   * The operations that were in flight with the old owner go out again. Each is counted first, and
   * the count is committed: otherwise a step that brings its process down would do so for ever.
   */
  private void handOut(Exhausted exhausted, Set<OperationId> cameOut) {
    List<Event.Redelivery> counted = new ArrayList<>();
    List<Effect> effects = new ArrayList<>();
    for (Operation operation : provisional.state.openOperations()) {
      if (provisional.isTaken(operation.id()) || cameOut.contains(operation.id())) continue;
      // An attempt that is with workers goes on under the next owner: it is not counted.
      if (operation.phase() == OperationPhase.IN_FLIGHT && !operation.isWithWorkers()) {
        boolean full = operation.ledger().leg1Attempts() >= Limit.LEG1_ATTEMPTS.largest();
        if (full && exhausted == Exhausted.NEEDS_A_PERSON) {
          raiseCeiling(operation);
          return;
        }
        ActivityLedger after = full ? operation.ledger() : operation.ledger().enterLeg1().orThrow();
        counted.add(new Event.Redelivery(operation.id(), after));
      }
      Dispatch.recovered(provisional.state.start(), operation).ifPresent(effects::add);
    }
    if (!counted.isEmpty())
      intake.plan(new PlannedChange.Plain(new Event.Redelivered(provisional.at, counted)));
    effects.forEach(intake::effect);
  }

  private void raiseCeiling(Operation operation) {
    Incident incident =
        new Incident.Ceiling(
            Optional.of(operation.id()),
            "it was handed out %d times and its owner never survived it. Mend it, then resolve."
                .formatted(operation.ledger().leg1Attempts()));
    intake.plan(new PlannedChange.Plain(new Event.IncidentRaised(provisional.at, incident)));
    provisional.incident = true;
  }
}
