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

/**
 * Builds one commit: the changes that the commands plan, then what the program wishes, with their
 * integers.
 */
final class CommitBuilder {
  private final Intake intake;
  private final ProvisionalState provisional;
  private final Instant at;
  private final Start start;
  private final CommitEvents commit;
  private final Map<String, Outcome> answers = new HashMap<>(1);
  private Ledgers ledgers;
  private Granting granting;

  private CommitBuilder(Intake intake, Start start) {
    this.intake = intake;
    this.provisional = intake.provisional;
    this.at = provisional.at;
    this.start = start;
    this.commit = new CommitEvents(provisional.state);
  }

  static Decision begin(Intake intake, Start start, Wishes wishes, Reply reply) {
    CommitBuilder builder = new CommitBuilder(intake, start);
    Optional<String> invalid =
        start.accounting().isOfGraph()
            ? Optional.empty()
            : WishCheck.whyNot(builder.provisional, wishes.wishes());
    int operations = invalid.isPresent() ? 0 : operations(wishes.wishes());
    Inception inception = Ledgers.inception(start.accounting(), operations);
    ActivityLedger run = Ledgers.ofRun();
    builder.commit.add(new Event.Started(builder.at, start, inception, run));
    builder.ledgers = Ledgers.begun(start.accounting(), inception, run);
    builder.granting = new Granting(intake, start, builder.ledgers, builder.commit);
    if (start.accounting().isOfGraph()) builder.grantGraph(wishes, false);
    else builder.grant(invalid, wishes.wishes());
    return builder.done(reply);
  }

  static Decision goOn(Intake intake, Wishes wishes, Reply reply) {
    WorkflowState state = intake.provisional.state;
    CommitBuilder builder = new CommitBuilder(intake, state.start());
    builder.ledgers = Ledgers.of(state);
    builder.granting = new Granting(intake, builder.start, builder.ledgers, builder.commit);
    if (builder.start.accounting().isOfGraph()) builder.goGraph(wishes);
    else builder.go(wishes);
    return builder.done(reply);
  }

  private void go(Wishes wishes) {
    // The wishes of a program that was ended from outside do not count any more.
    List<Wish> wanted = new ArrayList<>(provisional.isOver() ? List.of() : wishes.wishes());
    Optional<String> invalid = WishCheck.whyNot(provisional, wanted);
    List<PlannedChange> changes = invalid.isPresent() ? intake.changes : withoutRejected(wanted);
    int operations = invalid.isPresent() ? 0 : operations(wanted);
    int last = lastMessage(changes);
    if (last < 0 && operations > 0)
      commit.add(new Event.CodeRevised(at, ledgers.onRun(operations, Parent.STAYS_OPEN)));
    for (int index = 0; index < changes.size(); index++)
      apply(changes.get(index), index == last ? operations : 0);
    grant(invalid, wanted);
  }

  private void apply(PlannedChange change, int operations) {
    switch (change) {
      case PlannedChange.Plain(Event event) -> commit.add(event);
      case PlannedChange.Message message -> perform(message, operations);
      case PlannedChange.End(Outcome outcome) -> granting.endFromOutside(outcome);
      case PlannedChange.StartAgain(Start next) -> granting.startAgain(next);
    }
  }

  /**
   * The messages take their step 1 first, and their step 2 once the program has said what they ask
   * for.
   */
  private void goGraph(Wishes wishes) {
    boolean over = provisional.state.phase.isOver();
    List<Wish> wanted = new ArrayList<>(provisional.isOver() ? List.of() : wishes.wishes());
    List<PlannedChange> changes = withoutRejected(wanted);
    granting.spawning = Optional.of(new Spawning(at, commit, ledgers, Wishes.NONE));
    for (PlannedChange change : changes) apply(change, 0);
    if (over || provisional.isOver()) return;
    // A command without news may come with what an earlier commit did not grant.
    if (wishes.isEmpty() && !intake.asksProgram()) return;
    grantGraph(new Wishes(wanted, wishes.goesOn()), provisional.state.published);
  }

  private void grantGraph(Wishes wishes, boolean published) {
    Set<OperationId> untold = intake.untold();
    Optional<String> invalid = WishCheck.whyNot(provisional, commit, untold, wishes.wishes());
    if (invalid.isEmpty()) {
      Spawning spawning = new Spawning(at, commit, ledgers, wishes);
      granting.spawning = Optional.of(spawning);
      spawning.uncaused(!published, start.accounting().threshold());
      spawning.answered(untold);
    }
    grant(invalid, wishes.wishes());
    if (invalid.isEmpty()) granting.endIfClosed();
  }

  private void grant(Optional<String> invalid, List<Wish> wishes) {
    if (invalid.isPresent())
      commit.add(new Event.IncidentRaised(at, new Incident.InvalidWish(invalid.get())));
    else granting.grant(wishes);
  }

  private static int operations(List<Wish> wishes) {
    int count = 0;
    for (Wish wish : wishes) if (wish instanceof Wish.Schedule) count++;
    return count;
  }

  /**
   * All new operations of a commit are counted as children of one message in it: the last that
   * moves the semaphore.
   */
  private static int lastMessage(List<PlannedChange> changes) {
    for (int index = changes.size() - 1; index >= 0; index--)
      if (changes.get(index) instanceof PlannedChange.Message message
          && message.of().map(Operation::isObligation).orElse(true)) return index;
    return -1;
  }

  private void perform(PlannedChange.Message message, int children) {
    commit.add(message.event().apply(digits(message, children)));
    message
        .notice()
        .ifPresent(notice -> granting.notice(message.of().orElseThrow().order(), notice));
  }

  private Digits digits(PlannedChange.Message message, int children) {
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
   * The updates that a validator has refused. A refused update changes nothing and is not recorded:
   * it is answered as if it had never come. An update that was recorded already, because the
   * workflow was held, is answered on the record.
   */
  private List<PlannedChange> withoutRejected(List<Wish> wishes) {
    Set<String> rejected = new HashSet<>(1);
    for (Wish wish : wishes)
      if (wish instanceof Wish.RejectUpdate(String id, Failure failure)
          && !provisional.state.updates.isPending(id)) {
        rejected.add(id);
        provisional.forgetUpdate(id);
        answers.put(id, new Outcome.Failed(failure));
      }
    if (rejected.isEmpty()) return intake.changes;
    wishes.removeIf(
        wish -> wish instanceof Wish.RejectUpdate(String id, var why) && rejected.contains(id));
    List<PlannedChange> rest = new ArrayList<>(intake.changes);
    rest.removeIf(
        change ->
            change instanceof PlannedChange.Message message
                && message.preview() instanceof Event.UpdateAdmitted admitted
                && rejected.contains(admitted.updateId()));
    return rest;
  }

  private Decision done(Reply reply) {
    intake.effects.removeIf(this::cameToNothing);
    granting.dispatch();
    answers.putAll(granting.answers);
    // One message took the semaphore to its threshold (I11), and now nothing waits to be delivered
    // either.
    if (!commit.events.isEmpty() && ledgers.isClosed() && commit.isNothingOpen())
      commit.add(new Event.Closed(at));
    return new Decision(
        commit.events,
        intake.effects,
        answers.isEmpty() ? reply : answered(reply),
        granting.returned,
        granting.waits);
  }

  /** An attempt that was to go out, for an operation that this same commit gives up. */
  private boolean cameToNothing(Effect effect) {
    return switch (effect) {
      case Effect.RunAttempt run -> commit.find(run.operation()).isEmpty();
      case Effect.LookForSignal look -> commit.find(look.operation()).isEmpty();
      // The owner of the next run sends what an ended run leaves to be delivered.
      case Effect.Deliver delivery -> granting.continued;
      case Effect.StopAttempt e -> false;
      case Effect.AnswerUpdate e -> false;
      case Effect.AnnounceEnd e -> false;
    };
  }

  /** A sender whose update is answered in this commit gets the answer at once. */
  private Reply answered(Reply reply) {
    return switch (reply) {
      case Reply.UpdatePending(String id) when answers.containsKey(id) ->
          new Reply.UpdateAnswered(id, answers.get(id));
      case Reply.Each(List<Reply> replies) ->
          new Reply.Each(replies.stream().map(this::answered).toList());
      case Reply.Done _,
          Reply.Started _,
          Reply.AlreadyStarted _,
          Reply.Unknown _,
          Reply.AlreadyEnded _,
          Reply.AlreadyDone _,
          Reply.NotOpen _,
          Reply.UpdatePending _,
          Reply.UpdateAnswered _,
          Reply.UpdateConflict _,
          Reply.LimitReached _ ->
          reply;
    };
  }
}
