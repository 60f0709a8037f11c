package dev.tenure.workflow.kernel;

import dev.tenure.workflow.Failure;
import dev.tenure.workflow.ParentClosePolicy;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.collation.ActivityLedger;
import dev.tenure.workflow.collation.Parent;
import dev.tenure.workflow.lifecycle.OperationPhase;
import dev.tenure.workflow.operation.MessageGuid;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.OperationSpec.Content;
import dev.tenure.workflow.operation.Outcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Turns wishes into events and effects, in the order in which they were made. */
final class Granting {
  private static final OperationId REPORT = OperationId.ofEngine("parent", 1);

  private final Draft draft;
  private final Instant at;
  private final Start start;
  private final Ledgers ledgers;
  private final Book book;
  private final List<Effect> effects;

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

  /** The signals that this commit gives back. */
  final List<Command.Arrival> returned = new ArrayList<>(0);

  /** The updates that this commit answers. */
  final Map<String, Outcome> answers = new HashMap<>(1);

  Granting(Draft draft, Start start, Ledgers ledgers, Book book, List<Effect> effects) {
    this.draft = draft;
    this.at = draft.at;
    this.start = start;
    this.ledgers = ledgers;
    this.book = book;
    this.effects = effects;
  }

  void grant(List<Wish> wishes) {
    ends = !wishes.isEmpty() && endsRun(wishes.getLast());
    for (Wish wish : wishes)
      switch (wish) {
        case Wish.Schedule asked -> schedule(asked);
        // It is granted with the step 2 of its message.
        case Wish.LeaveOpen open -> {}
        case Wish.EndIfClosed(Outcome outcome) -> ifClosed = keepable(decided(outcome));
        case Wish.Abandon(OperationId id, boolean tellsChild) ->
            // Of one that completed in the meantime nothing comes of this.
            book.find(id)
                .filter(operation -> operation.phase() != OperationPhase.ANSWERED)
                .ifPresent(operation -> giveUp(operation, tellsChild));
        case Wish.GiveBack(OperationId id, Command.Arrival signal) -> giveBack(id, signal);
        case Wish.SetAttributes(var changes) -> book.add(new Event.AttributesChanged(at, changes));
        case Wish.AnswerUpdate(String id, Outcome outcome) -> answer(id, fitting(outcome));
        case Wish.RejectUpdate(String id, Failure failure) ->
            answer(id, new Outcome.Failed(failure));
        case Wish.ContinueAsNew next -> continueAsNew(next);
        case Wish.End(Outcome outcome) -> end(keepable(decided(outcome)));
      }
  }

  /** The message that closed a graph's job ends the run, in the same commit (I11). */
  void endIfClosed() {
    if (ledgers.isThresholdReached() && !decided && !continued) end(ifClosed);
  }

  /** Once all is granted: what was scheduled and is still wanted goes out, and looks. */
  void dispatch() {
    // Its next owner sends what was left to be delivered.
    if (continued) return;
    if (!returned.isEmpty()) lookForReturned();
    for (Operation operation : book.stillScheduled())
      Dispatch.scheduled(start, operation.id(), operation.spec()).ifPresent(effects::add);
    for (Operation operation : spawning.map(Spawning::waitAgain).orElse(List.of()))
      Dispatch.recovered(start, operation).ifPresent(effects::add);
  }

  private void schedule(Wish.Schedule asked) {
    if (spawning.isPresent()) spawning.get().schedule(asked);
    else schedule(asked.operation(), asked.spec());
  }

  private void schedule(OperationId id, OperationSpec spec) {
    book.add(
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

  private static boolean endsRun(Wish wish) {
    return wish instanceof Wish.End || wish instanceof Wish.ContinueAsNew;
  }

  /** The program no longer waits for it: a child of it is asked to stop, unless it may go on. */
  private void giveUp(Operation operation, boolean tellsChild) {
    if (!(operation.spec() instanceof OperationSpec.Child child)) {
      giveUp(operation, Optional.empty());
      return;
    }
    boolean terminates = child.onParentClose() == ParentClosePolicy.TERMINATE;
    // The run's end says what becomes of it, in this very commit.
    if (terminates && ends) return;
    Content cancel = new Content.Cancel("Its parent no longer waits for it.", childOf(operation));
    if (terminates && operation.phase() == OperationPhase.WAITING)
      keepUntilTheEnd(operation, child, cancel);
    else
      giveUp(
          operation,
          tellsChild || child.onParentClose() != ParentClosePolicy.ABANDON
              ? Optional.of(cancel)
              : Optional.empty());
  }

  /** It may clean up, and is still looked after: when the run ends before it, it is terminated. */
  private void keepUntilTheEnd(Operation operation, OperationSpec.Child child, Content cancel) {
    Digits digits = ledgers.on(operation, 0, Parent.CLOSES);
    book.add(new Event.GivenUp(at, operation.id(), digits));
    notice(operation.order(), Intake.notice(child, cancel));
  }

  /**
   * The program did not receive it. What this same commit consumed is written as consumed and as
   * given back: then the record says what the next wait gets, however the news were batched.
   */
  private void giveBack(OperationId id, Command.Arrival signal) {
    book.add(new Event.SignalReturned(at, id, signal.signal(), signal.position()));
    returned.add(signal);
  }

  /** Another wait may be open for what was given back, and nothing else would look. */
  private void lookForReturned() {
    Set<String> names = new HashSet<>();
    for (Command.Arrival signal : returned) names.add(signal.signal());
    for (Operation operation : book.open())
      if (operation.spec() instanceof OperationSpec.SignalWait wait
          && !book.isFresh(operation.id())
          && names.remove(wait.signal()))
        effects.add(new Effect.LookForSignal(operation.id(), wait.signal()));
  }

  /** The workflow is ended without its program, which was not told of what came last. */
  void endFromOutside(Outcome outcome) {
    giveBackUntold();
    end(outcome);
  }

  private void giveBackUntold() {
    for (News news : draft.state.withheld) giveBackUntold(news);
    for (Event event : List.copyOf(book.events)) News.of(event).forEach(this::giveBackUntold);
  }

  private void giveBackUntold(News news) {
    if (news instanceof News.Completed completed)
      completed.signal().ifPresent(signal -> giveBack(completed.operation(), signal));
  }

  private void giveUp(Operation operation, Optional<Content> tellChild) {
    switch (operation.phase()) {
      // Its message may be on its way, and what follows must not overtake it: so that waits.
      case SENDING -> {
        if (!operation.id().isEngines()) letGo(operation, tellChild);
      }
      case IN_FLIGHT, BACKING_OFF, WAITING, GIVEN_UP -> abandon(operation, tellChild);
      case ANSWERED -> spawning.orElseThrow().discharge(operation.id());
      // What its child is to be told may have become more.
      case LET_GO -> {
        if (tellChild.orElse(null) instanceof Content.Terminate) letGo(operation, tellChild);
      }
      case NEW, COMPLETED, ABANDONED -> {}
    }
  }

  private void letGo(Operation operation, Optional<Content> tellChild) {
    Digits digits = ledgers.on(operation, 0, Parent.CLOSES);
    book.add(new Event.LetGo(at, operation.id(), tellChild, digits));
  }

  private void abandon(Operation operation, Optional<Content> tellChild) {
    Digits digits = ledgers.on(operation, 0, Parent.CLOSES);
    book.add(new Event.Abandoned(at, operation.id(), digits));
    if (operation.phase() == OperationPhase.IN_FLIGHT && !book.isFresh(operation.id()))
      effects.add(new Effect.StopAttempt(operation.id(), operation.attempt()));
    if (tellChild.isPresent() && operation.spec() instanceof OperationSpec.Child child)
      schedule(
          // It may be the second that this child is told.
          noticeId(
              operation.phase() == OperationPhase.GIVEN_UP ? "farewell" : "notice",
              operation.order()),
          Intake.notice(child, tellChild.get()));
  }

  private void answer(String updateId, Outcome outcome) {
    book.add(new Event.UpdateAnswered(at, updateId, outcome));
    effects.add(new Effect.AnswerUpdate(updateId, outcome));
    answers.put(updateId, outcome);
  }

  private static Outcome fitting(Outcome outcome) {
    return outcome instanceof Outcome.Succeeded(Payload value)
            && value.size() > Limits.UPDATE_ANSWER_BYTES_MAX
        ? new Outcome.Failed(
            Limits.tooLarge(
                "The answer",
                value.size(),
                "UPDATE_ANSWER_BYTES_MAX",
                Limits.UPDATE_ANSWER_BYTES_MAX))
        : outcome;
  }

  /** Who stopped because its time was over timed out, and was not cancelled. */
  private Outcome decided(Outcome outcome) {
    return outcome instanceof Outcome.Cancelled && draft.deadlinePassed && !draft.cancelRequested
        ? new Outcome.TimedOut(Limits.DEADLINE)
        : outcome;
  }

  /**
   * The next run begins where this one ends. Nothing of this one is waited for any more; what must
   * still be delivered goes over to the next, under a name of the engine's.
   */
  private void continueAsNew(Wish.ContinueAsNew next) {
    if (draft.deadlinePassed || draft.cancelRequested) {
      end(decided(new Outcome.Cancelled("It was asked to stop, and would have continued as new.")));
      return;
    }
    if (Limits.isTooLarge(next.input())) {
      end(new Outcome.Failed(Limits.tooLarge("The next run's input", next.input())));
      return;
    }
    List<Event.Answered> answers = new Renewal(draft, start, book).answers();
    List<Event.CarriedUpdate> updates =
        new Renewal(draft, start, book).updates(this.answers.keySet());
    Set<String> handled = new HashSet<>(this.answers.keySet());
    for (Event.CarriedUpdate update : updates) handled.add(update.updateId());
    answerAll(
        handled,
        "The workflow continued as new before it answered, and more updates waited than CARRIED_UPDATES_BYTES_MAX = %d bytes of them. Send it again."
            .formatted(Limits.CARRIED_UPDATES_BYTES_MAX));
    List<Operation> open = book.open();
    if (!isFull(open)) for (Operation operation : open) giveUp(operation, farewell(operation));
    Event.ContinuedAsNew event = new Renewal(draft, start, book).event(next, answers, updates);
    book.add(event);
    ledgers.renew(event.inception(), event.run());
    continued = true;
    // Whoever pauses a workflow pauses what follows, too.
    if (draft.paused) book.add(new Event.Paused(at, draft.pauseReason));
  }

  /**
   * Another start begins the next run of a workflow that has ended, now or before. What it left to
   * be delivered goes over, as when it continues as new.
   */
  void startAgain(Start next) {
    Event.StartedAgain event = new Renewal(draft, start, book).startedAgain(next);
    book.add(event);
    ledgers.renew(event.inception(), event.run());
    continued = true;
  }

  private void answerAll(Set<String> handled, String why) {
    for (String updateId : draft.unanswered(handled))
      answer(updateId, new Outcome.Failed(Failure.permanent(Failure.WORKFLOW_ENDED, why)));
  }

  private static Outcome keepable(Outcome outcome) {
    return outcome instanceof Outcome.Succeeded(Payload value) && Limits.isTooLarge(value)
        ? new Outcome.Failed(Limits.tooLarge("The workflow's result", value))
        : outcome;
  }

  /**
   * The end, whoever wants it: everything open is discharged one by one, what must still be
   * delivered stays, and whoever is to know is told.
   */
  void end(Outcome outcome) {
    answerAll(answers.keySet(), "The workflow ended before it answered.");
    decided = true;
    List<Operation> open = book.open();
    if (isFull(open)) {
      book.writtenOff = true;
      book.add(new Event.Ended(at, outcome, ledgers.interrupt()));
    } else {
      for (Operation operation : open) giveUp(operation, farewell(operation));
      book.add(new Event.Ended(at, outcome, ledgers.end()));
      start.origin().ifPresent(origin -> report(origin, outcome));
      if (draft.incident || draft.blocked) deliverTheRest();
    }
    draft.outcome = Optional.of(outcome);
    effects.add(new Effect.AnnounceEnd(Status.of(outcome), outcome));
  }

  /**
   * An owner that took over a workflow which stood still has sent nothing of it yet. Now that it
   * ends there will be no release that makes up for it, and what is open would wait for ever (I8).
   */
  private void deliverTheRest() {
    for (Operation operation : book.open())
      if (!book.isFresh(operation.id()))
        Dispatch.recovered(start, operation).ifPresent(effects::add);
  }

  private void report(Origin origin, Outcome outcome) {
    schedule(
        REPORT,
        new OperationSpec.Message(
            origin.parent(),
            new Content.ChildEnded(origin.operation(), outcome, Optional.of(origin.guid()))));
  }

  /** By which message the child of that operation was started. */
  private Optional<MessageGuid> childOf(Operation operation) {
    return Optional.of(Dispatch.guidOf(start, operation));
  }

  private Optional<Content> farewell(Operation operation) {
    if (!(operation.spec() instanceof OperationSpec.Child child)) return Optional.empty();
    return switch (child.onParentClose()) {
      case TERMINATE -> Optional.of(new Content.Terminate("Its parent ended.", childOf(operation)));
      case CANCEL -> Optional.of(new Content.Cancel("Its parent ended.", childOf(operation)));
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
