package dev.tenure.workflow.kernel;

import dev.tenure.workflow.Attribute;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.collation.ActivityLedger;
import dev.tenure.workflow.collation.Inception;
import dev.tenure.workflow.collation.Parent;
import dev.tenure.workflow.lifecycle.ImpossibleHistoryError;
import dev.tenure.workflow.lifecycle.OperationPhase;
import dev.tenure.workflow.lifecycle.WorkflowPhase;
import dev.tenure.workflow.lifecycle.WorkflowPhase.Trigger;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Applies an event to the state. It decides nothing: a committed event holds. */
final class Fold {
  /** The operation passed at once: its value is in the record, and nothing waits for it. */
  private static final OperationSpec PASSED = new OperationSpec.Value(Payload.NONE);

  private Fold() {}

  static void apply(WorkflowState state, Event event) {
    WorkflowPhase before = state.phase;
    // The program has a value at once, also in the commit that holds the workflow.
    if (before == WorkflowPhase.HELD && !(event instanceof Event.ValueRecorded))
      state.withheld.addAll(News.of(event));
    boolean inSagas = state.open.inSagas() > 0;
    change(state, event);
    if (inSagas && state.open.inSagas() == 0) beginGrace(state, event);
    state.phase = WorkflowPhase.TABLE.require(before, trigger(state, event), "the workflow");
    if (state.phase == WorkflowPhase.LIVE && before == WorkflowPhase.HELD) released(state, event);
    state.at = event.at();
    state.events++;
    state.largestBytes = Math.max(state.largestBytes, Sizes.payloadBytes(event));
    if (state.phase == WorkflowPhase.CLOSED) requireNothingOpen(state);
  }

  /** The program gets the news that it missed, and has the whole grace period to act on them. */
  private static void released(WorkflowState state, Event event) {
    state.withheld.clear();
    beginGrace(state, event);
  }

  /** The grace begins anew, because it did not count until now. */
  private static void beginGrace(WorkflowState state, Event event) {
    if (state.deadlinePassed.isPresent()) state.graceFrom = Optional.of(event.at());
  }

  private static void requireNothingOpen(WorkflowState state) {
    if (state.open.size() > 0 || state.semaphore.isActive())
      throw new ImpossibleHistoryError(
          "The workflow closed with %d operations and a semaphore of %d (I10, I11)."
              .formatted(state.open.size(), state.semaphore.open()));
  }

  /** Which row of the lifecycle an event takes, given what it left behind. */
  static Trigger trigger(WorkflowState state, Event event) {
    return switch (event) {
      case Event.Started e -> Trigger.START;
      case Event.ContinuedAsNew e -> Trigger.RENEW;
      case Event.StartedAgain e -> Trigger.START_AGAIN;
      case Event.Ended e -> Trigger.END;
      case Event.Closed e -> Trigger.CLOSE;
      case Event.OfOperation e ->
          state.phase == WorkflowPhase.ENDED ? Trigger.DELIVER : Trigger.PROGRESS;
      case Event.Paused e -> Trigger.HOLD;
      case Event.Blocked e -> Trigger.HOLD;
      case Event.IncidentRaised e -> Trigger.HOLD;
      case Event.Resumed e -> release(state);
      case Event.Unblocked e -> release(state);
      case Event.IncidentResolved e -> release(state);
      case Event.Repinned e ->
          state.phase == WorkflowPhase.HELD ? release(state) : Trigger.PROGRESS;
      case Event.Published e -> Trigger.PROGRESS;
      case Event.Redelivered e -> Trigger.PROGRESS;
      case Event.AttributesChanged e -> Trigger.PROGRESS;
      case Event.CancelRequested e -> Trigger.PROGRESS;
      case Event.DeadlinePassed e -> Trigger.PROGRESS;
      case Event.SourceChildStarted e -> Trigger.PROGRESS;
      case Event.SourceSignalNotReceived e -> Trigger.PROGRESS;
      case Event.Forked e -> Trigger.PROGRESS;
      case Event.SignalReturned e -> Trigger.PROGRESS;
      case Event.UpdateAdmitted e -> Trigger.PROGRESS;
      case Event.UpdateAnswered e -> Trigger.PROGRESS;
      case Event.CodeRevised e -> Trigger.PROGRESS;
    };
  }

  private static Trigger release(WorkflowState state) {
    return state.isHeld() ? Trigger.RELEASE_ONE : Trigger.RELEASE_LAST;
  }

  private static void change(WorkflowState state, Event event) {
    switch (event) {
      case Event.Started e -> started(state, e);
      case Event.ContinuedAsNew e -> continued(state, e);
      case Event.StartedAgain e -> startedAgain(state, e);
      case Event.Scheduled e -> {
        state.open.add(scheduled(e, state.operations++));
        if (e.spec() instanceof OperationSpec.SignalWait wait) state.signalNames.add(wait.signal());
      }
      case Event.ValueRecorded e -> {
        long order = state.operations++;
        state.semaphore = e.digits().semaphore();
        passing(e, order).ifPresent(state.open::add);
      }
      case Event.Published e -> {
        state.semaphore = e.inception().semaphore();
        state.published = true;
      }
      case Event.Reentered e -> reentered(state, e);
      case Event.SignalConsumed e -> {
        long position = e.arrival().position();
        // A signal that had been given back may stand before others of its name.
        state.consumed.merge(e.arrival().signal(), position, Math::max);
        state.newestSignal = Math.max(state.newestSignal, position);
        state.returned.remove(position);
        onOperation(state, e);
      }
      case Event.SignalReturned e -> state.returned.put(e.position(), e.signal());
      case Event.OfOperation e -> onOperation(state, e);
      case Event.Redelivered e ->
          e.operations()
              .forEach(
                  one ->
                      state.open.replace(
                          state.open.get(one.operation()).redelivered(e.at(), one.ledger())));
      case Event.AttributesChanged e -> attributes(state.attributes, e.changes());
      case Event.CancelRequested e -> {
        state.cancelRequested = Optional.of(e.reason());
        onRun(state, e);
      }
      // Child and signal are not this workflow's: nothing of them is open here.
      case Event.SourceChildStarted e -> {}
      case Event.SourceSignalNotReceived e -> {}
      case Event.Forked e -> state.startedAt = e.at();
      case Event.DeadlinePassed e -> {
        state.deadlinePassed = Optional.of(e.at());
        state.graceFrom = state.deadlinePassed;
        onRun(state, e);
      }
      case Event.Paused e -> state.paused = Optional.of(e.reason());
      case Event.Resumed e -> {
        state.paused = Optional.empty();
        onRun(state, e);
      }
      case Event.Blocked e -> state.blocked = Optional.of(e.reason());
      case Event.Unblocked e -> {
        state.blocked = Optional.empty();
        onRun(state, e);
      }
      case Event.IncidentRaised e -> state.incident = Optional.of(e.incident());
      case Event.IncidentResolved e -> {
        state.incident = Optional.empty();
        onRun(state, e);
      }
      case Event.Repinned e -> {
        state.start = state.start.atVersion(e.version());
        state.incident = Optional.empty();
        state.blocked = Optional.empty();
        onRun(state, e);
      }
      case Event.UpdateAdmitted e -> {
        state.updates.admit(new Event.CarriedUpdate(e.updateId(), e.name(), e.payload(), e.at()));
        onRun(state, e);
      }
      case Event.UpdateAnswered e -> state.updates.answer(e.updateId(), e.outcome());
      case Event.CodeRevised e -> onRun(state, e);
      case Event.Ended e -> ended(state, e);
      case Event.Closed e -> {}
    }
  }

  private static void started(WorkflowState state, Event.Started event) {
    begins(state, event.at(), event.start(), event.inception(), event.run());
  }

  private static void begins(
      WorkflowState state, Instant at, Start start, Inception inception, ActivityLedger run) {
    state.start = start;
    state.startedAt = at;
    state.run = run;
    state.semaphore = inception.semaphore();
    state.published = inception.guid().childrenSpawned();
    attributes(state.attributes, start.attributes());
  }

  private static void continued(WorkflowState state, Event.ContinuedAsNew event) {
    state.clear();
    begins(state, event.at(), event.start(), event.inception(), event.run());
    state.newestSignal = event.newestSignal();
    event.updates().forEach(state.updates::admit);
    takesOver(state, event.at(), event.answers(), event.carried());
  }

  private static void startedAgain(WorkflowState state, Event.StartedAgain event) {
    state.clear();
    begins(state, event.at(), event.start(), event.inception(), event.run());
    state.newestSignal = event.newestSignal();
    takesOver(state, event.at(), event.answers(), event.carried());
  }

  private static void takesOver(
      WorkflowState state, Instant at, List<Event.Answered> answers, List<Event.Carried> carried) {
    answers.forEach(state.updates::takeOver);
    for (Event.Carried one : carried)
      state.open.add(
          Operation.carried(
              one.operation(),
              one.spec(),
              one.ledger(),
              state.operations++,
              at,
              one.then(),
              one.sent(),
              one.letGo()));
  }

  private static void reentered(WorkflowState state, Event.Reentered event) {
    state.open.add(passing(event, state.operations++));
    Operation pivot = state.pivots.get(event.pivot());
    ActivityLedger after = event.digits().activity();
    if (pivot != null) state.pivots.put(pivot.id(), pivot.entered(after));
    else state.open.replace(state.open.get(event.pivot()).entered(after));
    event.unreachable().forEach(state.pivots::remove);
  }

  private static void ended(WorkflowState state, Event.Ended event) {
    boolean writesOff = state.semaphore.isActive() && event.digits().writesOff();
    // Where no run counted, the end has the digits of the message that closed the job.
    if (state.semaphore.isActive()) onRun(state, event);
    state.pivots.clear();
    state.outcome = Optional.of(event.outcome());
    state.endedAt = Optional.of(event.at());
    // Withheld news stay in the state: the program never got them, and a later replay must not give
    // // them to it. The run is over, so nothing holds it any more.
    state.paused = Optional.empty();
    state.blocked = Optional.empty();
    state.incident = Optional.empty();
    // Written off: counters were full, so nothing was discharged one by one.
    if (writesOff) state.open.clear();
  }

  static void attributes(Map<String, Attribute> all, Map<String, Attribute> changes) {
    changes.forEach(
        (name, value) -> {
          if (value instanceof Attribute.Removed) all.remove(name);
          else all.put(name, value);
        });
  }

  static Operation scheduled(Event.Scheduled event, long order) {
    return Operation.scheduled(
        event.operation(), event.spec(), event.place(), event.ledger(), order, event.at());
  }

  /** What of a value is open: one of a graph, until its children are asked for. */
  static Optional<Operation> passing(Event.ValueRecorded event, long order) {
    Digits digits = event.digits();
    return digits.guid().childrenSpawned()
        ? Optional.empty()
        : Optional.of(
            Operation.passing(
                event.operation(),
                PASSED,
                event.place(),
                digits.activity(),
                digits.guid(),
                order,
                event.at()));
  }

  static Operation passing(Event.Reentered event, long order) {
    return Operation.passing(
        event.operation(),
        new OperationSpec.Cycle(event.pivot()),
        event.place(),
        event.ledger(),
        event.digits().guid(),
        order,
        event.at());
  }

  private static void onRun(WorkflowState state, Event.OfMessage event) {
    state.run = risen("run", state.run, event.digits().activity());
    state.semaphore = event.digits().semaphore();
  }

  private static void onOperation(WorkflowState state, Event.OfOperation event) {
    Operation before = state.open.get(event.operation());
    Optional<Operation> after = after(before, event);
    if (Results.leavesNoChild(before, event)) state.noChild.add(event.operation());
    if (after.isPresent()) state.open.replace(after.get());
    else state.open.remove(event.operation());
    if (after.isEmpty() && before.place().kind().isPivot()) state.pivots.put(before.id(), before);
    if (event instanceof Event.OfMessage message) state.semaphore = message.digits().semaphore();
  }

  /** The operation as the event leaves it; empty when it is over. */
  static Optional<Operation> after(Operation before, Event.OfOperation event) {
    return switch (event) {
      case Event.AttemptFailed e ->
          Optional.of(
              before.attemptFailed(
                  e.failure(), e.retryAt(), risen(before, e.digits()), e.digits().guid()));
      case Event.AttemptStarted e -> Optional.of(before.attemptStarted(e.at()));
      case Event.Retried e -> Optional.of(before.retried(e.at(), e.unproven()));
      case Event.Concluded e -> Optional.of(before);
      case Event.ChildStarted e ->
          Optional.of(before.acknowledged(risen(before, e.digits()), e.digits().guid()));
      case Event.LetGo e ->
          Optional.of(before.letGo(e.then(), risen(before, e.digits()), e.digits().guid()));
      case Event.GivenUp e ->
          Optional.of(before.givenUp(risen(before, e.digits()), e.digits().guid()));
      case Event.Completed e -> came(before, e.digits(), failure(e.outcome()));
      case Event.SignalConsumed e -> came(before, e.digits(), Optional.empty());
      case Event.Spawned e -> spawned(before, e);
      case Event.Abandoned e -> over(before, e.digits(), OperationPhase.Trigger.ABANDON);
      case Event.Scheduled e -> throw twice(before);
      case Event.ValueRecorded e -> throw twice(before);
      case Event.Reentered e -> throw twice(before);
    };
  }

  /** It is over, or, in a graph, answered: until its message has its step 2. */
  private static Optional<Operation> came(
      Operation before, Digits digits, Optional<Failure> failure) {
    if (digits.guid().childrenSpawned() || !before.isObligation())
      return over(before, digits, OperationPhase.Trigger.COMPLETE);
    return Optional.of(before.answered(risen(before, digits), digits.guid(), failure));
  }

  private static Optional<Failure> failure(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Succeeded succeeded -> Optional.empty();
      case Outcome.Failed(Failure failure) -> Optional.of(failure);
      case Outcome.Cancelled(String reason) -> Optional.of(Results.timeout(reason));
      case Outcome.Terminated(String reason) -> Optional.of(Results.timeout(reason));
      case Outcome.TimedOut(String what) -> Optional.of(Results.timeout(what));
    };
  }

  private static Optional<Operation> spawned(Operation before, Event.Spawned event) {
    if (event.parent() == Parent.STAYS_OPEN)
      return Optional.of(before.leftOpen(before.ledger(), event.digits().guid()));
    before.requireOver(OperationPhase.Trigger.COMPLETE);
    return Optional.empty();
  }

  private static ImpossibleHistoryError twice(Operation operation) {
    return new ImpossibleHistoryError("Operation " + operation.id() + " is scheduled twice.");
  }

  private static Optional<Operation> over(
      Operation before, Digits digits, OperationPhase.Trigger how) {
    risen(before, digits);
    before.requireOver(how);
    return Optional.empty();
  }

  private static ActivityLedger risen(Operation before, Digits digits) {
    return risen(before.id().value(), before.ledger(), digits.activity());
  }

  /** Ledgers only rise (I9). */
  private static ActivityLedger risen(String whose, ActivityLedger before, ActivityLedger after) {
    if (after.value() <= before.value())
      throw new ImpossibleHistoryError(
          "The ledger of %s went from %s to %s: it only rises (I9)."
              .formatted(whose, before, after));
    return after;
  }
}
