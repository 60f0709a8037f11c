package dev.tenure.workflow.kernel;

import dev.tenure.workflow.Failure;
import dev.tenure.workflow.collation.ActivityLedger;
import dev.tenure.workflow.collation.Inception;
import dev.tenure.workflow.collation.Parent;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Puts one commit together: what came in, then what the program wishes, with their integers. */
final class Turn {
  private final Intake intake;
  private final Draft draft;
  private final Instant at;
  private final Start start;
  private final Book book;
  private final Map<String, Outcome> answers = new HashMap<>(1);
  private Ledgers ledgers;
  private Granting granting;

  private Turn(Intake intake, Start start) {
    this.intake = intake;
    this.draft = intake.draft;
    this.at = draft.at;
    this.start = start;
    this.book = new Book(draft.state);
  }

  static Decision begin(Intake intake, Start start, Wishes wishes, Reply reply) {
    Turn turn = new Turn(intake, start);
    Optional<String> invalid =
        start.accounting().isOfGraph()
            ? Optional.empty()
            : WishCheck.whyNot(turn.draft, wishes.wishes());
    int operations = invalid.isPresent() ? 0 : operations(wishes.wishes());
    Inception inception = Ledgers.inception(start.accounting(), operations);
    ActivityLedger run = Ledgers.ofRun();
    turn.book.add(new Event.Started(turn.at, start, inception, run));
    turn.ledgers = Ledgers.begun(start.accounting(), inception, run);
    turn.granting = new Granting(turn.draft, start, turn.ledgers, turn.book, intake.effects);
    if (start.accounting().isOfGraph()) turn.grantGraph(wishes, false);
    else turn.grant(invalid, wishes.wishes());
    return turn.done(reply);
  }

  static Decision goOn(Intake intake, Wishes wishes, Reply reply) {
    WorkflowState state = intake.draft.state;
    Turn turn = new Turn(intake, state.start());
    turn.ledgers = Ledgers.of(state);
    turn.granting = new Granting(turn.draft, turn.start, turn.ledgers, turn.book, intake.effects);
    if (turn.start.accounting().isOfGraph()) turn.goGraph(wishes);
    else turn.go(wishes);
    return turn.done(reply);
  }

  private void go(Wishes wishes) {
    // What a program wishes that was ended from outside counts for nothing any more.
    List<Wish> wanted = new ArrayList<>(draft.isOver() ? List.of() : wishes.wishes());
    Optional<String> invalid = WishCheck.whyNot(draft, wanted);
    List<Move> moves = invalid.isPresent() ? intake.moves : withoutRejected(wanted);
    int operations = invalid.isPresent() ? 0 : operations(wanted);
    int last = lastMessage(moves);
    if (last < 0 && operations > 0)
      book.add(new Event.CodeRevised(at, ledgers.onRun(operations, Parent.STAYS_OPEN)));
    for (int index = 0; index < moves.size(); index++)
      move(moves.get(index), index == last ? operations : 0);
    grant(invalid, wanted);
  }

  private void move(Move move, int operations) {
    switch (move) {
      case Move.Plain(Event event) -> book.add(event);
      case Move.Message message -> perform(message, operations);
      case Move.End(Outcome outcome) -> granting.endFromOutside(outcome);
      case Move.StartAgain(Start next) -> granting.startAgain(next);
    }
  }

  /** The messages have their step 1 first, and their step 2 when it is known what they ask for. */
  private void goGraph(Wishes wishes) {
    boolean over = draft.state.phase.isOver();
    List<Wish> wanted = new ArrayList<>(draft.isOver() ? List.of() : wishes.wishes());
    List<Move> moves = withoutRejected(wanted);
    granting.spawning = Optional.of(new Spawning(at, book, ledgers, Wishes.NONE));
    for (Move move : moves) move(move, 0);
    if (over || draft.isOver() || !intake.asksProgram()) return;
    grantGraph(new Wishes(wanted, wishes.goesOn()), draft.state.published);
  }

  private void grantGraph(Wishes wishes, boolean published) {
    Set<OperationId> untold = intake.untold();
    Optional<String> invalid = WishCheck.whyNot(draft, book, untold, wishes.wishes());
    if (invalid.isEmpty()) {
      Spawning spawning = new Spawning(at, book, ledgers, wishes);
      granting.spawning = Optional.of(spawning);
      spawning.uncaused(!published, start.accounting().threshold());
      spawning.answered(untold);
    }
    grant(invalid, wishes.wishes());
    if (invalid.isEmpty()) granting.endIfClosed();
  }

  private void grant(Optional<String> invalid, List<Wish> wishes) {
    if (invalid.isPresent())
      book.add(new Event.IncidentRaised(at, new Incident.InvalidWish(invalid.get())));
    else granting.grant(wishes);
  }

  private static int operations(List<Wish> wishes) {
    int count = 0;
    for (Wish wish : wishes) if (wish instanceof Wish.Schedule) count++;
    return count;
  }

  /**
   * Whatever the program asks for next is counted as the children of one message: the last that
   * moves the semaphore.
   */
  private static int lastMessage(List<Move> moves) {
    for (int index = moves.size() - 1; index >= 0; index--)
      if (moves.get(index) instanceof Move.Message message
          && message.of().map(Operation::isObligation).orElse(true)) return index;
    return -1;
  }

  private void perform(Move.Message message, int children) {
    book.add(message.event().apply(digits(message, children)));
    message
        .notice()
        .ifPresent(notice -> granting.notice(message.of().orElseThrow().order(), notice));
  }

  private Digits digits(Move.Message message, int children) {
    if (message.of().isEmpty()) return ledgers.onRun(children, message.parent());
    Operation operation = message.of().get();
    boolean isAnswer =
        start.accounting().isOfGraph()
            && message.parent() == Parent.CLOSES
            && operation.isObligation();
    return isAnswer
        ? ledgers.answered(operation)
        : ledgers.on(operation, children, message.parent());
  }

  /**
   * A validator that refuses changes nothing, so there is nothing to record: the update is answered
   * as if it had never come. One that was recorded already, because the workflow was held, is
   * answered on the record.
   */
  private List<Move> withoutRejected(List<Wish> wishes) {
    Set<String> rejected = new HashSet<>(1);
    for (Wish wish : wishes)
      if (wish instanceof Wish.RejectUpdate(String id, Failure failure)
          && !draft.state.pendingUpdates.containsKey(id)) {
        rejected.add(id);
        draft.forgetUpdate(id);
        answers.put(id, new Outcome.Failed(failure));
      }
    if (rejected.isEmpty()) return intake.moves;
    wishes.removeIf(
        wish -> wish instanceof Wish.RejectUpdate(String id, var why) && rejected.contains(id));
    List<Move> rest = new ArrayList<>(intake.moves);
    rest.removeIf(
        move ->
            move instanceof Move.Message message
                && message.preview() instanceof Event.UpdateAdmitted admitted
                && rejected.contains(admitted.updateId()));
    return rest;
  }

  private Decision done(Reply reply) {
    intake.effects.removeIf(this::cameToNothing);
    granting.dispatch();
    answers.putAll(granting.answers);
    // The edge was taken by one message (I11), and now nothing waits to be delivered either.
    if (!book.events.isEmpty() && ledgers.isClosed() && book.isNothingOpen())
      book.add(new Event.Closed(at));
    return new Decision(
        book.events,
        intake.effects,
        answers.isEmpty() ? reply : answered(reply),
        granting.returned);
  }

  /** An attempt that was to go out, of an operation that this same commit gives up. */
  private boolean cameToNothing(Effect effect) {
    return switch (effect) {
      case Effect.RunStep run -> book.find(run.operation()).isEmpty();
      case Effect.RunActivity run -> book.find(run.operation()).isEmpty();
      case Effect.LookForSignal look -> book.find(look.operation()).isEmpty();
      // What an ended run leaves to be delivered goes out with the owner of the next.
      case Effect.StartChild e -> granting.continued;
      case Effect.Send e -> granting.continued;
      case Effect.StopAttempt e -> false;
      case Effect.AnswerUpdate e -> false;
      case Effect.AnnounceEnd e -> false;
    };
  }

  /** Whoever asked just now is told the answer, not that it follows. */
  private Reply answered(Reply reply) {
    return switch (reply) {
      case Reply.UpdatePending(String id) when answers.containsKey(id) ->
          new Reply.UpdateAnswered(id, answers.get(id));
      case Reply.Each(List<Reply> replies) ->
          new Reply.Each(replies.stream().map(this::answered).toList());
      case Reply other -> other;
    };
  }
}
