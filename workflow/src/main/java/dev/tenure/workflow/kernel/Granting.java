package dev.tenure.workflow.kernel;

import dev.tenure.workflow.Failure;
import dev.tenure.workflow.ParentClosePolicy;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.collation.ActivityLedger;
import dev.tenure.workflow.collation.Parent;
import dev.tenure.workflow.lifecycle.OperationPhase;
import dev.tenure.workflow.operation.MessageContent;
import dev.tenure.workflow.operation.MessageGuid;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Turns the program's wishes into events and effects, in the order of the wishes. */
final class Granting {
  private static final OperationId REPORT = OperationId.ofEngine("parent", 1);

  private final ProvisionalState provisional;
  private final Instant at;
  private final Start start;
  private final Ledgers ledgers;
  private final CommitEvents commit;
  private final List<Effect> effects;

  /** What the program does not learn with this commit, because the workflow is held. */
  private final List<News> untold;

  /** Of a graph, what its messages ask for. */
  Optional<Spawning> spawning = Optional.empty();

  /** What a graph's job comes out with if it is closed. */
  private Outcome ifClosed = Outcome.DONE;

  /** Whether the outcome is decided in this commit. */
  private boolean decided;

  /** Whether the program ends this run in this commit. */
  private boolean ends;

  /** Whether another run follows in this commit. */
  boolean continued;

  /** Whether the next run waits until this one has delivered more. */
  boolean waits;

  /** Whether what is open keeps the next run from beginning. */
  private boolean refused;

  /** The signals that this commit gives back. */
  final List<Command.Arrival> returned = new ArrayList<>(0);

  /** The updates that this commit answers. */
  final Map<String, Outcome> answers = new HashMap<>(1);

  Granting(Intake intake, Start start, Ledgers ledgers, CommitEvents commit) {
    this.provisional = intake.provisional;
    this.at = provisional.at;
    this.start = start;
    this.ledgers = ledgers;
    this.commit = commit;
    this.effects = intake.effects;
    this.untold = intake.untoldNews();
  }

  void grant(List<Wish> wishes) {
    ends = !wishes.isEmpty() && wishes.getLast().endsRun();
    if (ends && wishes.getLast() instanceof Wish.End) untold.forEach(this::giveBackUntold);
    for (Wish wish : wishes)
      switch (wish) {
        case Wish.Schedule asked -> schedule(asked);
        // It is granted together with step 2 of its message.
        case Wish.LeaveOpen open -> {}
        case Wish.EndIfClosed(Outcome outcome) ->
            ifClosed = RecordedOutcome.ofRun(outcome, provisional);
        case Wish.Abandon(OperationId id, boolean tellsChild) ->
            // An operation that completed in the meantime is not open any more: the wish has no
            // effect.
            commit
                .find(id)
                .filter(operation -> operation.phase() != OperationPhase.ANSWERED)
                .ifPresent(operation -> giveUp(operation, tellsChild));
        case Wish.GiveBack(OperationId id, Command.Arrival signal) -> giveBack(id, signal);
        case Wish.SetAttributes(var changes) ->
            commit.add(new Event.AttributesChanged(at, changes));
        case Wish.AnswerUpdate(String id, Outcome outcome) ->
            answer(id, RecordedOutcome.fitting(outcome, provisional.limits));
        case Wish.RejectUpdate(String id, Failure failure) ->
            answer(id, new Outcome.Failed(failure));
        case Wish.ContinueAsNew next -> continueAsNew(next);
        case Wish.End(Outcome outcome) -> end(RecordedOutcome.ofRun(outcome, provisional));
      }
  }

  /** The message that closed a graph's job ends the run, in the same commit (I11). */
  void endIfClosed() {
    if (!ledgers.isThresholdReached() || decided || continued || waits || refused) return;
    untold.forEach(this::giveBackUntold);
    end(ifClosed);
  }

  /**
   * Called after all wishes are granted: sends out what was scheduled and not given up, and asks
   * for a look into the inbox.
   */
  void dispatch() {
    // The owner of the next run sends what is left to be delivered.
    if (continued) return;
    if (!returned.isEmpty()) lookForReturned();
    for (Operation operation : commit.stillScheduled())
      Dispatch.scheduled(start, operation).ifPresent(effects::add);
    for (Operation operation : spawning.map(Spawning::waitAgain).orElse(List.of()))
      Dispatch.recovered(start, operation).ifPresent(effects::add);
  }

  private void schedule(Wish.Schedule asked) {
    if (spawning.isPresent()) spawning.get().schedule(asked);
    else schedule(asked.operation(), asked.spec());
  }

  private void schedule(OperationId id, OperationSpec spec) {
    commit.add(
        spec instanceof OperationSpec.Value(Payload value)
            ? new Event.ValueRecorded(at, id, value, ledgers.value())
            : new Event.Scheduled(at, id, spec, Ledgers.scheduled(spec.kind().collation())));
  }

  /** What the engine sends because of an operation: a delivery, which no semaphore counts. */
  void notice(long because, OperationSpec.Message message) {
    schedule(noticeId("notice", because), message);
  }

  private static OperationId noticeId(String name, long because) {
    return OperationId.ofEngine(name, Math.toIntExact(because + 1));
  }

  /**
   * The program no longer waits for the operation. A child is asked to stop, unless its policy lets
   * it go on.
   */
  private void giveUp(Operation operation, boolean tellsChild) {
    if (!(operation.spec() instanceof OperationSpec.Child child)) {
      giveUp(operation, Optional.empty());
      return;
    }
    boolean terminates = child.onParentClose() == ParentClosePolicy.TERMINATE;
    // The end of the run decides in this same commit what happens to the child.
    if (terminates && ends) return;
    MessageContent cancel =
        new MessageContent.Cancel("Its parent no longer waits for it.", childOf(operation));
    if (terminates && operation.phase() == OperationPhase.WAITING)
      keepUntilTheEnd(operation, child, cancel);
    else
      giveUp(
          operation,
          tellsChild || child.onParentClose() != ParentClosePolicy.ABANDON
              ? Optional.of(cancel)
              : Optional.empty());
  }

  /**
   * The child may clean up, and stays in the state: when the run ends before it, it is terminated.
   */
  private void keepUntilTheEnd(
      Operation operation, OperationSpec.Child child, MessageContent cancel) {
    Digits digits = ledgers.on(operation, 0, Parent.CLOSES);
    commit.add(new Event.GivenUp(at, operation.id(), digits));
    notice(operation.order(), Intake.notice(child, cancel));
  }

  /**
   * The program did not receive the signal. A signal that this same commit consumes is written as
   * consumed and as given back: then the record decides what the next wait gets, and not the
   * results that are in the same commit.
   */
  private void giveBack(OperationId id, Command.Arrival signal) {
    commit.add(new Event.SignalReturned(at, id, signal.signal(), signal.position()));
    returned.add(signal);
  }

  /**
   * Another open wait may want the signal that was given back, and nothing else would look into the
   * inbox for it.
   */
  private void lookForReturned() {
    Set<String> names = new HashSet<>();
    for (Command.Arrival signal : returned) names.add(signal.signal());
    for (Operation operation : commit.open())
      if (operation.spec() instanceof OperationSpec.SignalWait wait
          && !commit.isFresh(operation.id())
          && names.remove(wait.signal()))
        effects.add(new Effect.LookForSignal(operation.id(), wait.signal()));
  }

  /** The workflow is ended without its program, which has not received the last signals. */
  void endFromOutside(Outcome outcome) {
    giveBackUntold();
    end(outcome);
  }

  private void giveBackUntold() {
    for (News news : provisional.state.withheld) giveBackUntold(news);
    for (Event event : List.copyOf(commit.events)) News.of(event).forEach(this::giveBackUntold);
  }

  private void giveBackUntold(News news) {
    if (news instanceof News.Completed completed)
      completed.signal().ifPresent(signal -> giveBack(completed.operation(), signal));
  }

  private void giveUp(Operation operation, Optional<MessageContent> tellChild) {
    switch (operation.phase()) {
      // The message may already be sent. What the owner sends next must arrive after it, so that
      // waits for its acknowledgement.
      case SENDING -> {
        if (!operation.id().isEngines()) letGo(operation, tellChild);
      }
      case IN_FLIGHT, BACKING_OFF, WAITING, GIVEN_UP -> abandon(operation, tellChild);
      case ANSWERED -> spawning.orElseThrow().discharge(operation.id());
      // There may be more to tell the child than before.
      case LET_GO -> {
        if (tellChild.orElse(null) instanceof MessageContent.Terminate) letGo(operation, tellChild);
      }
      case NEW, COMPLETED, ABANDONED -> {}
    }
  }

  private void letGo(Operation operation, Optional<MessageContent> tellChild) {
    Digits digits = ledgers.on(operation, 0, Parent.CLOSES);
    commit.add(new Event.LetGo(at, operation.id(), tellChild, digits));
  }

  private void abandon(Operation operation, Optional<MessageContent> tellChild) {
    Digits digits = ledgers.on(operation, 0, Parent.CLOSES);
    commit.add(new Event.Abandoned(at, operation.id(), digits));
    if (operation.phase() == OperationPhase.IN_FLIGHT && !commit.isFresh(operation.id()))
      effects.add(new Effect.StopAttempt(operation.id(), operation.attempt()));
    if (tellChild.isPresent() && operation.spec() instanceof OperationSpec.Child child)
      schedule(
          // This may be the second message that waits for this child.
          noticeId(
              operation.phase() == OperationPhase.GIVEN_UP ? "farewell" : "notice",
              operation.order()),
          Intake.notice(child, tellChild.get()));
  }

  private void answer(String updateId, Outcome outcome) {
    commit.add(new Event.UpdateAnswered(at, updateId, outcome));
    effects.add(new Effect.AnswerUpdate(updateId, outcome));
    answers.put(updateId, outcome);
  }

  /**
   * The next run begins where this one ends. Nothing of this one is waited for any more; what must
   * still be delivered goes over to the next, under a name of the engine's.
   */
  private void continueAsNew(Wish.ContinueAsNew next) {
    boolean stops = provisional.deadlinePassed || provisional.cancelRequested;
    if (!stops && !Limits.isTooLarge(next.input()) && !isRoom()) return;
    untold.forEach(this::giveBackUntold);
    if (stops) {
      end(
          RecordedOutcome.ofRun(
              new Outcome.Cancelled("It was asked to stop, and would have continued as new."),
              provisional));
      return;
    }
    if (Limits.isTooLarge(next.input())) {
      end(new Outcome.Failed(Limits.tooLarge("The next run's input", next.input())));
      return;
    }
    List<Event.Answered> answers = new Renewal(provisional, start, commit).answers();
    List<Event.CarriedUpdate> updates =
        new Renewal(provisional, start, commit).updates(this.answers.keySet());
    Set<String> handled = new HashSet<>(this.answers.keySet());
    for (Event.CarriedUpdate update : updates) handled.add(update.updateId());
    answerAll(
        handled,
        "The workflow continued as new before it answered, and more updates waited than CARRIED_UPDATES_BYTES_MAX = %d bytes of them. Send it again."
            .formatted(provisional.limits.carriedUpdatesBytes()));
    List<Operation> open = commit.open();
    if (!isFull(open)) for (Operation operation : open) giveUp(operation, farewell(operation));
    Event.ContinuedAsNew event =
        new Renewal(provisional, start, commit).event(next, answers, updates);
    commit.add(event);
    ledgers.renew(event.inception(), event.run());
    continued = true;
    // A paused workflow stays paused in its next run.
    if (provisional.paused) commit.add(new Event.Paused(at, provisional.pauseReason));
  }

  /** Whether one commit holds what is open and what the next run has to deliver. */
  private boolean isRoom() {
    List<Operation> open = commit.open();
    RenewalSize size = RenewalSize.of(isFull(open) ? RenewalSize.undelivered(open) : open, untold);
    Optional<Incident> refusal = size.refusal(provisional.limits.carriedBytes());
    refusal.ifPresent(why -> commit.add(new Event.IncidentRaised(at, why)));
    refused = refusal.isPresent();
    waits = !refused && size.bytes() > provisional.limits.carriedBytes();
    return !waits && !refused;
  }

  /**
   * Another start begins the next run of a workflow that has ended, now or before. What it left to
   * be delivered goes over, as when it continues as new.
   */
  void startAgain(Start next) {
    Event.StartedAgain event = new Renewal(provisional, start, commit).startedAgain(next);
    commit.add(event);
    ledgers.renew(event.inception(), event.run());
    continued = true;
  }

  private void answerAll(Set<String> handled, String why) {
    for (String updateId : provisional.unanswered(handled))
      answer(updateId, new Outcome.Failed(Failure.permanent(Failure.WORKFLOW_ENDED, why)));
  }

  /**
   * The end of the run, for any reason. Everything open is discharged one by one, what must be
   * delivered stays, and parents and waiting clients are told.
   */
  void end(Outcome outcome) {
    answerAll(answers.keySet(), "The workflow ended before it answered.");
    decided = true;
    List<Operation> open = commit.open();
    if (isFull(open)) {
      commit.writtenOff = true;
      commit.add(new Event.Ended(at, outcome, ledgers.interrupt()));
    } else {
      for (Operation operation : open) giveUp(operation, farewell(operation));
      commit.add(new Event.Ended(at, outcome, ledgers.end()));
      start.origin().ifPresent(origin -> report(origin, outcome));
      if (provisional.incident || provisional.blocked) deliverTheRest();
    }
    provisional.outcome = Optional.of(outcome);
    effects.add(new Effect.AnnounceEnd(Status.of(outcome), outcome));
  }

  /**
   * An owner that took over a workflow which stood still has sent nothing of it yet. Now that it
   * ends there will be no release that makes up for it, and what is open would wait for ever (I8).
   */
  private void deliverTheRest() {
    for (Operation operation : commit.open())
      if (!commit.isFresh(operation.id()))
        Dispatch.recovered(start, operation).ifPresent(effects::add);
  }

  private void report(Origin origin, Outcome outcome) {
    schedule(
        REPORT,
        new OperationSpec.Message(
            origin.parent(),
            new MessageContent.ChildEnded(
                origin.operation(), outcome, Optional.of(origin.guid()))));
  }

  /** The GUID of the message that started the child of that operation. */
  private Optional<MessageGuid> childOf(Operation operation) {
    return Optional.of(Dispatch.guidOf(start, operation));
  }

  private Optional<MessageContent> farewell(Operation operation) {
    if (!(operation.spec() instanceof OperationSpec.Child child)) return Optional.empty();
    return switch (child.onParentClose()) {
      case TERMINATE ->
          Optional.of(new MessageContent.Terminate("Its parent ended.", childOf(operation)));
      case CANCEL ->
          Optional.of(new MessageContent.Cancel("Its parent ended.", childOf(operation)));
      case ABANDON -> Optional.empty();
    };
  }

  /** Whether a counter has no digit left for the message that would discharge it (I9). */
  private boolean isFull(List<Operation> open) {
    if (ledgers.isRunFull()) return true;
    for (Operation operation : open)
      if (operation.ledger().standing() == ActivityLedger.Standing.LEG2_EXHAUSTED) return true;
    return false;
  }
}
