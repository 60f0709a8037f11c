package dev.tenure.workflow.audit;

import dev.tenure.workflow.collation.ActivityLedger;
import dev.tenure.workflow.kernel.Effect;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.KernelLimits;
import dev.tenure.workflow.kernel.Start;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads one workflow's commits and says which invariant is broken. It knows nothing of how the
 * kernel decides or folds: it counts for itself.
 */
public final class HistoryAudit {
  private final String name;
  private final Obligations obligations = new Obligations(this::what);
  private final Map<OperationId, Open> open = obligations.open;
  private final Set<OperationId> ever = new HashSet<>();

  /** Of runs before this one. */
  private final Set<OperationId> earlier = new HashSet<>();

  private final Set<String> answeredEarlier = new HashSet<>();

  private final SignalAudit signals = new SignalAudit();
  private final Set<String> admitted = new HashSet<>();
  private final Set<String> answered = new HashSet<>();
  private final UndoAudit undos = new UndoAudit();
  private final ActivityAudit activities = new ActivityAudit();

  /** The events that are read now were copied from another workflow. */
  private boolean copying;

  private boolean running;
  private boolean started;
  private boolean ended;

  /** Of runs before this one, which another start has taken the place of. */
  private boolean endedEarlier;

  private final StartAudit starts;
  private boolean closed;
  private Instant at = Instant.MIN;
  private String last = "";

  public HistoryAudit(String name) {
    this(name, KernelLimits.DEFAULT);
  }

  /**
   * @param limits under which the history came about
   */
  public HistoryAudit(String name, KernelLimits limits) {
    this.name = name;
    this.starts = new StartAudit(limits.earlierStarts());
  }

  public void commit(List<Event> events) {
    copying = events.stream().anyMatch(Event.Forked.class::isInstance);
    require(!copying || !started, "I4", "another's past is copied into a life");
    for (Event event : events) {
      last = event.toString();
      boolean next = event instanceof Event.StartedAgain;
      require(!closed || next, "I4", "something of the run follows its end");
      require(
          !ended || next || event instanceof Event.OfOperation || event instanceof Event.Closed,
          "I4",
          "something but deliveries follows the outcome");
      require(!event.at().isBefore(at), "I2", "time goes back");
      at = event.at();
      read(event);
    }
    activities.committed().ifPresent(this::brokenI6);
    obligations.committed(running, ended);
    require(
        closed == (obligations.isNothingOpen() && ended),
        "I11",
        "closed is " + closed + " with " + open.size() + " open");
  }

  private void read(Event event) {
    switch (event) {
      case Event.Started e -> {
        require(!started, "I1", "it starts twice");
        started = true;
        running = true;
        keyed(e.start());
        obligations.begins(e.start(), e.inception(), e.run());
      }
      case Event.ContinuedAsNew e -> {
        signals.nextRun(e.newestSignal(), what());
        undos.continued().ifPresent(why -> require(false, "I12", why));
        next(e.carried(), e.answers(), e.updates());
        obligations.begins(e.start(), e.inception(), e.run());
      }
      case Event.StartedAgain e -> startedAgain(e);
      case Event.Scheduled e -> scheduled(e);
      case Event.ValueRecorded e -> {
        require(ever.add(e.operation()), "I8", "the id was used before");
        obligations.recorded(e);
      }
      case Event.Reentered e -> {
        require(ever.add(e.operation()), "I8", "the id was used before");
        obligations.reentered(e);
      }
      case Event.Published e -> obligations.published(e);
      case Event.Spawned e -> obligations.spawned(e);
      case Event.AttemptFailed e -> {
        Open operation = obligations.message(e.operation(), e.digits());
        require(
            operation.attempt == e.attempt(), "I9", "attempt " + operation.attempt + " was next");
        operation.attempt++;
        operation.notBefore = e.retryAt();
        activities.failed(e.operation(), e.failure());
      }
      case Event.AttemptStarted e -> {
        Open operation = obligations.find(e.operation());
        require(
            operation.attempt == e.attempt(), "I9", "attempt " + operation.attempt + " was next");
        require(!e.at().isBefore(operation.notBefore), "I17", "the retry is early");
        activities.started(e.operation());
      }
      case Event.Redelivered e -> e.operations().forEach(this::redelivered);
      case Event.ChildStarted e -> obligations.message(e.operation(), e.digits());
      case Event.Completed e -> completed(e);
      case Event.SignalConsumed e -> consumed(e);
      case Event.Abandoned e -> {
        obligations.message(e.operation(), e.digits());
        open.remove(e.operation());
        undos.abandoned(e.operation());
        activities.abandoned(e.operation());
      }
      case Event.LetGo e -> {
        Open operation = obligations.message(e.operation(), e.digits());
        operation.letGo = true;
        operation.isDelivery = true;
      }
      case Event.GivenUp e -> {
        Open child = obligations.message(e.operation(), e.digits());
        child.isDelivery = true;
        require(child.spec instanceof OperationSpec.Child, "I8", "it gives up what is no child");
      }
      case Event.SignalReturned e -> returned(e);
      case Event.UpdateAdmitted e -> {
        require(admitted.add(e.updateId()), "I1", "the update is admitted twice");
        obligations.onRun(e.digits());
      }
      case Event.UpdateAnswered e -> {
        require(admitted.contains(e.updateId()), "I1", "the update was not admitted");
        require(answered.add(e.updateId()), "I1", "the update is answered twice");
      }
      case Event.Ended e -> {
        boolean writesOff = obligations.writesOff(e);
        undos.ended(e.outcome()).ifPresent(why -> require(false, "I12", why));
        require(answered.equals(admitted), "I1", "updates stay without an answer");
        for (Open operation : open.values())
          require(
              writesOff || operation.letGo || operation.spec instanceof OperationSpec.Message,
              "I8",
              "it leaves an operation behind");
        obligations.ends(e);
        ended = true;
        running = false;
      }
      case Event.Closed e -> closed = true;
      case Event.CancelRequested e -> obligations.onRun(e.digits());
      case Event.DeadlinePassed e -> obligations.onRun(e.digits());
      case Event.Repinned e -> obligations.onRun(e.digits());
      case Event.Resumed e -> obligations.onRun(e.digits());
      case Event.Unblocked e -> obligations.onRun(e.digits());
      case Event.IncidentResolved e -> obligations.onRun(e.digits());
      case Event.CodeRevised e -> obligations.revised(e);
      case Event.AttributesChanged e -> {}
      case Event.Paused e -> {}
      case Event.Blocked e -> {}
      case Event.SourceChildStarted e ->
          require(copying && !open.containsKey(e.operation()), "I8", "it is no child of another");
      case Event.SourceSignalNotReceived e ->
          require(copying && e.bytes() >= 0, "I13", "it is no signal of another");
      case Event.Forked e -> copying = false;
      case Event.Retried e -> {
        obligations.find(e.operation()).notBefore = e.at();
        activities.retried(e.operation(), e.unproven()).ifPresent(this::brokenI6);
      }
      case Event.Concluded e -> {
        obligations.find(e.operation());
        activities.concluded(e.operation()).ifPresent(this::brokenI6);
      }
      case Event.IncidentRaised e -> {}
    }
  }

  /** Another start takes the place of a run that is over, and of no other (I4). */
  private void startedAgain(Event.StartedAgain event) {
    require(started && ended, "I4", "another start takes the place of a run that goes on");
    keyed(event.start());
    signals.startedAgain(event.newestSignal(), what());
    next(event.carried(), event.answers(), List.of());
    obligations.begins(event.start(), event.inception(), event.run());
    endedEarlier = true;
    ended = false;
    closed = false;
    running = true;
  }

  private void keyed(Start start) {
    starts.begins(start).ifPresent(why -> require(false, "I5", why));
  }

  /** The next run begins, with what the one before it left to be delivered. */
  private void next(
      List<Event.Carried> carried,
      List<Event.Answered> answers,
      List<Event.CarriedUpdate> updates) {
    Map<OperationId, Open> left = new LinkedHashMap<>();
    for (Event.Carried one : carried) {
      Open operation = open.containsKey(one.sent().as()) ? open.get(one.sent().as()) : null;
      for (Map.Entry<OperationId, Open> entry : open.entrySet())
        if (one.asks(entry.getValue().spec)
            && entry.getValue().ledger == one.ledger().value()
            && !left.containsValue(entry.getValue())) operation = entry.getValue();
      require(operation != null, "I8", "it carries what was not open");
      left.put(one.operation(), operation);
    }
    require(left.size() == open.size(), "I8", "it leaves an operation behind");
    Set<String> handled = new HashSet<>(answered);
    for (Event.CarriedUpdate update : updates)
      require(handled.add(update.updateId()), "I1", "an answered update goes over");
    require(handled.equals(admitted), "I1", "updates stay without an answer");
    open.clear();
    open.putAll(left);
    earlier.addAll(ever);
    ever.clear();
    ever.addAll(left.keySet());
    undos.forget();
    activities.forget();
    answeredEarlier.addAll(answered);
    admitted.clear();
    answered.clear();
    answers.forEach(answer -> admitted.add(answer.updateId()));
    answered.addAll(admitted);
    updates.forEach(update -> admitted.add(update.updateId()));
  }

  private void scheduled(Event.Scheduled event) {
    require(ever.add(event.operation()), "I8", "the id was used before");
    obligations.scheduled(event);
    activities.asked(event.operation(), event.spec());
    undos
        .asked(event.operation(), event.spec())
        .ifPresent(why -> require(false, "I12", "undone out of turn: " + why));
  }

  private void redelivered(Event.Redelivery event) {
    Open operation = obligations.find(event.operation());
    ActivityLedger before = new ActivityLedger(operation.ledger);
    boolean counted = event.ledger().leg1Attempts() == before.leg1Attempts() + 1;
    require(counted || before.leg1Attempts() == 99, "I9", "the delivery is not counted");
    operation.ledger = event.ledger().value();
    activities.redelivered(event.operation());
  }

  private void completed(Event.Completed event) {
    Open operation = obligations.answered(event.operation(), event.digits());
    activities.completed(event.operation(), event.outcome()).ifPresent(this::brokenI6);
    Instant earliest =
        operation.spec instanceof OperationSpec.Awaited awaited
            ? awaited.until(operation.scheduledAt).orElse(Instant.MIN)
            : Instant.MIN;
    // Of what was copied, the place in an inbox and when it came about are the other's.
    require(copying || !event.at().isBefore(earliest), "I17", "it is due at " + earliest);
    if (!copying && operation.spec instanceof OperationSpec.SignalWait wait)
      require(
          event.outcome() instanceof Outcome.TimedOut && wait.timeout().isPresent(),
          "I13",
          "a signal came from nowhere");
    if (!operation.isAnswered) open.remove(event.operation());
    undos.over(event.operation());
  }

  private void consumed(Event.SignalConsumed event) {
    Open operation = obligations.answered(event.operation(), event.digits());
    String signal = event.arrival().signal();
    require(
        operation.spec instanceof OperationSpec.SignalWait wait && wait.signal().equals(signal),
        "I13",
        "it waits for something else");
    signals.consumed(event.arrival(), what());
    if (!operation.isAnswered) open.remove(event.operation());
  }

  private void returned(Event.SignalReturned event) {
    Open wait = open.get(event.operation());
    require(wait == null || wait.isAnswered, "I13", "its wait is still open");
    signals.returned(event.signal(), event.position(), what());
  }

  /** An attempt's code runs: it stands for something that is committed (I7). */
  public void runs(OperationId id, int attempt) {
    last = "attempt " + attempt + " at " + id + " runs";
    require(wasEver(id), "I7", "no committed intent");
    Open operation = open.get(id);
    require(operation == null || attempt <= operation.attempt, "I7", "no such attempt yet");
  }

  /** An effect stands for something that is committed (I7). */
  public void effect(Effect effect) {
    last = effect.toString();
    switch (effect) {
      case Effect.RunStep e -> intent(e.operation(), e.attempt());
      case Effect.RunActivity e -> {
        intent(e.operation(), e.attempt());
        activities.goesOut(e).ifPresent(this::brokenI6);
      }
      case Effect.Deliver e -> require(open.containsKey(e.operation()), "I7", "no intent");
      case Effect.LookForSignal e -> require(open.containsKey(e.operation()), "I7", "no intent");
      case Effect.AnswerUpdate e ->
          require(
              answered.contains(e.updateId()) || answeredEarlier.contains(e.updateId()),
              "I7",
              "no answer");
      case Effect.AnnounceEnd e -> require(ended || endedEarlier, "I7", "no end");
      case Effect.StopAttempt e -> require(wasEver(e.operation()), "I7", "no such thing");
    }
  }

  private void intent(OperationId id, int attempt) {
    Open operation = open.get(id);
    require(operation != null && operation.attempt == attempt, "I7", "no committed intent");
  }

  private boolean wasEver(OperationId id) {
    return ever.contains(id) || earlier.contains(id);
  }

  public boolean isClosed() {
    return closed;
  }

  public boolean isAdmitted(String updateId) {
    return admitted.contains(updateId);
  }

  private void brokenI6(String why) {
    require(false, "I6", why);
  }

  private void require(boolean holds, String invariant, String why) {
    Violation.require(holds, invariant, what() + ": " + why);
  }

  private String what() {
    return name + ": " + last;
  }
}
