package dev.tenure.workflow.kernel;

import dev.tenure.workflow.Failure;
import dev.tenure.workflow.collation.ActivityLedger;
import dev.tenure.workflow.kernel.Intake.Verdict;
import dev.tenure.workflow.lifecycle.OperationPhase;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;
import java.time.Instant;
import java.util.Optional;

/** Decides what is due by time alone: never before the owner's clock says so (I17). */
final class DueWork {
  private static final Verdict STANDS_STILL =
      Verdict.ignored("Time stands still for a held workflow.");
  private static final Verdict NOTHING_YET = Verdict.ignored("Nothing is due yet.");

  private final Intake intake;
  private final ProvisionalState provisional;
  private final Results results;

  DueWork(Intake intake) {
    this.intake = intake;
    this.provisional = intake.provisional;
    this.results = new Results(intake);
  }

  Verdict take() {
    if (provisional.isOver()) return Verdict.ignored("The workflow has ended.");
    Optional<Instant> deadline = provisional.state.deadline();
    if (deadline.isPresent() && !provisional.now.isBefore(deadline.get())) {
      if (provisional.deadlinePassed || cannotBeAsked())
        intake.end(new Outcome.TimedOut(Limits.DEADLINE));
      else passDeadline();
      return Verdict.TAKEN;
    }
    if (provisional.isHeld()) return STANDS_STILL;
    boolean any = false;
    long bytes = 0;
    for (Operation operation :
        provisional.state.open.dueBy(provisional.now, provisional.limits.duePerCommit())) {
      if (provisional.isTaken(operation.id())) continue;
      // The rest is still due after this commit.
      if (bytes >= provisional.limits.dueBytesPerCommit()) break;
      due(operation);
      any = true;
      bytes += operation.lastFailure().map(Sizes::bytesMax).orElse(0L);
    }
    return any ? Verdict.TAKEN : NOTHING_YET;
  }

  /** The waits that are still open time out, as many as one commit may hold. */
  Verdict noSignal(Command.NoSignal command) {
    if (provisional.isOver()) return Verdict.ignored("The workflow has ended.");
    if (provisional.isHeld()) return STANDS_STILL;
    boolean any = false;
    for (OperationId id : command.waits()) {
      Optional<Operation> open = provisional.find(id);
      if (open.isPresent() && timesOut(open.get())) any = true;
    }
    return any ? Verdict.TAKEN : NOTHING_YET;
  }

  private boolean timesOut(Operation operation) {
    if (!(operation.spec() instanceof OperationSpec.SignalWait wait)) return false;
    boolean isDue = operation.dueAt().filter(due -> !due.isAfter(provisional.now)).isPresent();
    // A signal that was given back stands in the inbox, even if the last read did not find it.
    if (!isDue || provisional.mayTakeReturned(wait.signal())) return false;
    results.came(operation, new Outcome.TimedOut("No signal " + wait.signal() + " came."));
    return true;
  }

  /** The request to stop takes one of the numbers that are reserved for the end of the run. */
  private boolean cannotBeAsked() {
    return provisional.state.run.standing() == ActivityLedger.Standing.LEG2_EXHAUSTED;
  }

  /** The program is asked to stop, as a cancellation would, so that it can undo what it did. */
  private void passDeadline() {
    Instant at = provisional.at;
    boolean asks = !provisional.cancelRequested;
    intake.plan(PlannedChange.Message.onRun(digits -> new Event.DeadlinePassed(at, asks, digits)));
    provisional.deadlinePassed = true;
  }

  private void due(Operation operation) {
    switch (operation.spec()) {
      case OperationSpec.Attempted attempted -> due(operation, attempted);
      case OperationSpec.Timer timer -> results.came(operation, Outcome.DONE);
      case OperationSpec.SignalWait _, OperationSpec.Delivered _, OperationSpec.Recorded _ ->
          throw neverDue(operation);
    }
  }

  private static IllegalStateException neverDue(Operation operation) {
    return new IllegalStateException(operation.kind() + " is not due by itself: " + operation.id());
  }

  private void due(Operation operation, OperationSpec.Attempted attempted) {
    if (operation.phase() == OperationPhase.BACKING_OFF) {
      dueAfterBackoff(operation, attempted);
      return;
    }
    // The attempt may still run: its result does not count any more.
    intake.effect(new Effect.StopAttempt(operation.id(), operation.attempt()));
    if (operation.isTotalTimeOver(attempted, provisional.now)) {
      String what = "All attempts at it together.";
      results.exhausted(operation, attempted, Results.timeout(what), new Outcome.TimedOut(what));
      return;
    }
    String what = "Attempt " + operation.attempt() + " took too long.";
    Failure failure = Results.timeout(what);
    results.failed(operation, attempted, failure, new Outcome.TimedOut(what));
  }

  private void dueAfterBackoff(Operation operation, OperationSpec.Attempted attempted) {
    // An attempt that a person asked for is made, however long the workflow was held meanwhile.
    boolean asked = operation.attemptThatCounts() == 1;
    // The time is over for a call that may have had its effect, too. Its attempt only proves that.
    boolean asks = asked || operation.needsProof();
    if (!asks && operation.isTotalTimeOver(attempted, provisional.now)) {
      // The program gets the last failure, which says more than that the time was over.
      Failure last = operation.lastFailure().orElseThrow();
      results.exhausted(operation, attempted, last, new Outcome.Failed(last));
      return;
    }
    provisional.take(operation.id());
    intake.plan(
        new PlannedChange.Plain(
            new Event.AttemptStarted(provisional.at, operation.id(), operation.attempt())));
    intake.effect(Dispatch.nextAttempt(operation));
  }
}
