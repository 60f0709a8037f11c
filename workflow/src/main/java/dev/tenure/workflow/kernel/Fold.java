package dev.tenure.workflow.kernel;

import dev.tenure.workflow.Attribute;
import dev.tenure.workflow.collation.ActivityLedger;
import dev.tenure.workflow.collation.Inception;
import dev.tenure.workflow.lifecycle.ImpossibleHistoryError;
import dev.tenure.workflow.lifecycle.OperationPhase;
import dev.tenure.workflow.lifecycle.WorkflowPhase;
import dev.tenure.workflow.lifecycle.WorkflowPhase.Trigger;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationSpec;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What an event leaves behind. It decides nothing: whatever was committed, is. */
final class Fold {
  private Fold() {}

  static void apply(WorkflowState state, Event event) {
    WorkflowPhase before = state.phase;
    // A value the program has at once, also in the commit that leaves it held.
    if (before == WorkflowPhase.HELD && !(event instanceof Event.ValueRecorded))
      state.withheld.addAll(News.of(event));
    change(state, event);
    state.phase = WorkflowPhase.TABLE.require(before, trigger(state, event), "the workflow");
    if (state.phase == WorkflowPhase.LIVE && before == WorkflowPhase.HELD) released(state, event);
    state.at = event.at();
    state.events++;
    state.largestBytes = Math.max(state.largestBytes, Sizes.payloadBytes(event));
    if (state.phase == WorkflowPhase.CLOSED) requireNothingOpen(state);
  }

  /** Its program learns what it missed, and has all of the grace to act on it. */
  private static void released(WorkflowState state, Event event) {
    state.withheld.clear();
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
      case Event.Redelivered e -> Trigger.PROGRESS;
      case Event.AttributesChanged e -> Trigger.PROGRESS;
      case Event.CancelRequested e -> Trigger.PROGRESS;
      case Event.DeadlinePassed e -> Trigger.PROGRESS;
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
        state.operations++;
        state.semaphore = e.digits().semaphore();
      }
      case Event.SignalConsumed e -> {
        long position = e.arrival().position();
        // One that had been given back may stand before others of its name.
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
        admitted(state, new Event.CarriedUpdate(e.updateId(), e.name(), e.payload(), e.at()));
        onRun(state, e);
      }
      case Event.UpdateAnswered e -> answered(state, e);
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
    attributes(state.attributes, start.attributes());
  }

  private static void continued(WorkflowState state, Event.ContinuedAsNew event) {
    state.clear();
    begins(state, event.at(), event.start(), event.inception(), event.run());
    state.newestSignal = event.newestSignal();
    for (Event.CarriedUpdate one : event.updates()) admitted(state, one);
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
    for (Event.Answered answer : answers) {
      state.answeredUpdates.put(answer.updateId(), answer.outcome());
      state.updateBodies.put(answer.updateId(), answer.fingerprint());
    }
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

  private static void admitted(WorkflowState state, Event.CarriedUpdate update) {
    state.pendingUpdates.put(update.updateId(), update);
    state.updateBodies.put(
        update.updateId(), Command.Update.fingerprint(update.name(), update.payload()));
  }

  private static void ended(WorkflowState state, Event.Ended event) {
    onRun(state, event);
    state.outcome = Optional.of(event.outcome());
    state.endedAt = Optional.of(event.at());
    // What was withheld stays: the program was never told, and a later replay must not tell it.
    // Nobody is held any more, and nobody needs to be released.
    state.paused = Optional.empty();
    state.blocked = Optional.empty();
    state.incident = Optional.empty();
    // Written off: counters were full, so nothing was discharged one by one.
    if (!event.digits().semaphore().isActive()) state.open.clear();
  }

  private static void answered(WorkflowState state, Event.UpdateAnswered event) {
    if (state.pendingUpdates.remove(event.updateId()) == null)
      throw new ImpossibleHistoryError(
          "Update " + event.updateId() + " is answered without waiting for it.");
    state.answeredUpdates.put(event.updateId(), event.outcome());
    if (state.answeredUpdates.size() > Limits.ANSWERED_UPDATES_MAX) {
      Iterator<String> eldest = state.answeredUpdates.keySet().iterator();
      state.updateBodies.remove(eldest.next());
      eldest.remove();
    }
  }

  static void attributes(Map<String, Attribute> all, Map<String, Attribute> changes) {
    changes.forEach(
        (name, value) -> {
          if (value instanceof Attribute.Removed) all.remove(name);
          else all.put(name, value);
        });
  }

  static Operation scheduled(Event.Scheduled event, long order) {
    return Operation.scheduled(event.operation(), event.spec(), event.ledger(), order, event.at());
  }

  private static void onRun(WorkflowState state, Event.OfMessage event) {
    state.run = risen("run", state.run, event.digits().activity());
    state.semaphore = event.digits().semaphore();
  }

  private static void onOperation(WorkflowState state, Event.OfOperation event) {
    Optional<Operation> after = after(state.open.get(event.operation()), event);
    if (after.isPresent()) state.open.replace(after.get());
    else state.open.remove(event.operation());
    if (event instanceof Event.OfMessage message) state.semaphore = message.digits().semaphore();
  }

  /** The operation as the event leaves it; empty when it is over. */
  static Optional<Operation> after(Operation before, Event.OfOperation event) {
    return switch (event) {
      case Event.AttemptFailed e ->
          Optional.of(before.attemptFailed(e.failure(), e.retryAt(), risen(before, e.digits())));
      case Event.AttemptStarted e -> Optional.of(before.attemptStarted(e.at()));
      case Event.Retried e -> Optional.of(before.retried(e.at()));
      case Event.ChildStarted e -> Optional.of(before.acknowledged(risen(before, e.digits())));
      case Event.LetGo e -> Optional.of(before.letGo(e.then()));
      case Event.GivenUp e -> Optional.of(before.givenUp(risen(before, e.digits())));
      case Event.Completed e -> over(before, e.digits(), OperationPhase.Trigger.COMPLETE);
      case Event.SignalConsumed e -> over(before, e.digits(), OperationPhase.Trigger.COMPLETE);
      case Event.Abandoned e -> over(before, e.digits(), OperationPhase.Trigger.ABANDON);
      case Event.Scheduled e -> throw twice(before);
      case Event.ValueRecorded e -> throw twice(before);
    };
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
