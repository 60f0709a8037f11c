package dev.tenure.workflow.kernel;

import dev.tenure.workflow.Attribute;
import dev.tenure.workflow.StartPolicy;
import dev.tenure.workflow.collation.Parent;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Takes commands in: says of each whether it is news, and collects what it brings about. Deciding
 * asks the same again, so nothing has to be carried from the one to the other.
 */
final class Intake {
  /** What one command is: taken in, with a reply; or not, with an admission that says why. */
  sealed interface Verdict {
    record Taken(Reply reply) implements Verdict {}

    record Not(Admission admission) implements Verdict {}

    Verdict TAKEN = new Taken(Reply.DONE);

    static Verdict refused(Reply reply) {
      return new Not(new Admission.Refused(reply));
    }

    static Verdict duplicate(Reply reply) {
      return new Not(new Admission.Duplicate(reply));
    }

    static Verdict ignored(String reason) {
      return new Not(new Admission.Ignored(reason));
    }
  }

  final Draft draft;
  final List<Move> moves = new ArrayList<>(2);
  final List<Effect> effects = new ArrayList<>(2);
  private final List<News> news = new ArrayList<>(2);
  private final List<News> withheld = new ArrayList<>(0);
  private boolean released;

  /** Whether the program says with this command what it asks for, news or none. */
  private boolean withProgram;

  /** Whether the program has its say in this commit. */
  boolean asksProgram() {
    return withProgram || !news().isEmpty();
  }

  /** The command comes with a program that was rebuilt from the record. */
  void bringsProgram() {
    withProgram = true;
  }

  /** The operations whose newest message the program does not learn of yet. */
  Set<OperationId> untold() {
    Set<OperationId> untold = new HashSet<>(0);
    if (!released) draft.state.withheld.forEach(one -> untold(one, untold));
    withheld.forEach(one -> untold(one, untold));
    return untold;
  }

  private static void untold(News news, Set<OperationId> untold) {
    if (news instanceof News.Completed completed) untold.add(completed.operation());
  }

  /** What the program is to learn; a program that was ended from outside learns no more. */
  List<News> news() {
    return draft.isOver() ? List.of() : news;
  }

  Verdict verdict;

  private Intake(WorkflowState state, Instant now) {
    this.draft = new Draft(state, now);
  }

  static Intake of(WorkflowState state, Command command, Instant now) {
    Intake intake = new Intake(state, now);
    intake.verdict = intake.take(command);
    return intake;
  }

  private Verdict take(Command command) {
    if (command instanceof Command.StartWorkflow(Start start, StartPolicy policy))
      return start(start, policy);
    // Its program learns all of it from the record, when it is there.
    if (command instanceof Command.ForkWorkflow fork)
      return start(fork.start(), StartPolicy.REJECT_DUPLICATE) instanceof Verdict.Not not
          ? not
          : forked(fork.start());
    if (!draft.state.exists()) return Verdict.refused(new Reply.Unknown());
    if (command instanceof Command.Several(List<Command> commands)) return several(commands);
    return takeOne(command);
  }

  private Verdict forked(Start start) {
    news.clear();
    return new Verdict.Taken(new Reply.Started(start.id(), start.runId()));
  }

  private Verdict several(List<Command> commands) {
    List<Reply> replies = new ArrayList<>(commands.size());
    boolean any = false;
    for (Command command : commands)
      replies.add(
          switch (takeOne(command)) {
            case Verdict.Taken(Reply reply) -> {
              any = true;
              yield reply;
            }
            case Verdict.Not(Admission.Refused(Reply reply)) -> reply;
            case Verdict.Not(Admission.Duplicate(Reply reply)) -> reply;
            case Verdict.Not(Admission.Ignored(String reason)) -> new Reply.AlreadyDone(reason);
            case Verdict.Not(Admission.Accepted accepted) -> Reply.DONE;
          });
    Reply each = new Reply.Each(replies);
    return any ? new Verdict.Taken(each) : Verdict.refused(each);
  }

  private Verdict takeOne(Command command) {
    return switch (command) {
      case Command.AttemptEnded c -> new Results(this).attemptEnded(c);
      case Command.ChildAcknowledged c -> new Results(this).childAcknowledged(c);
      case Command.ChildEnded c -> new Results(this).childEnded(c);
      case Command.MessageAcknowledged c -> new Results(this).messageAcknowledged(c);
      case Command.Signals c -> new Results(this).signals(c);
      case Command.Due c -> new DueWork(this).take();
      case Command.NoSignal c -> new DueWork(this).noSignal(c);
      case Command.Cancel c -> new Orders(this).cancel(c);
      case Command.Terminate c -> new Orders(this).terminate(c);
      case Command.Pause c -> new Orders(this).pause(c);
      case Command.Resume c -> new Orders(this).resume();
      case Command.Update c -> new Orders(this).update(c);
      case Command.Block c -> new Orders(this).block(c);
      case Command.RaiseIncident c -> new Orders(this).raise(c);
      case Command.ResolveIncident c -> new Orders(this).resolve(c.note(), c.version());
      case Command.Retry c -> new Orders(this).retry(c.operation());
      case Command.MoveToVersion c -> new Orders(this).move(c);
      case Command.Recovered c -> new Orders(this).recovered(c.cameOut());
      case Command.GrantMore c -> grantMore();
      case Command.StartWorkflow c -> throw new IllegalArgumentException("Starts come alone.");
      case Command.ForkWorkflow c -> throw new IllegalArgumentException("Forks come alone.");
      case Command.Several c -> throw new IllegalArgumentException("Several hold no several.");
    };
  }

  private Verdict grantMore() {
    if (draft.isOver()) return Verdict.ignored("The workflow has ended and asks for nothing.");
    bringsProgram();
    return Verdict.TAKEN;
  }

  private Verdict start(Start start, StartPolicy policy) {
    WorkflowState state = draft.state;
    if (state.exists()) {
      Optional<String> same = state.start().runOf(start);
      if (same.isPresent() || !allows(policy))
        return Verdict.duplicate(
            new Reply.AlreadyStarted(
                state.start().id(),
                same.orElse(state.start().runId()),
                state.status(),
                same.isPresent()));
    }
    if (Limits.isTooLarge(start.input()))
      return Verdict.refused(
          new Reply.LimitReached(
              "PAYLOAD_BYTES_MAX",
              start.input().size(),
              Limits.PAYLOAD_BYTES_MAX,
              "Keep the input elsewhere and pass a reference."));
    if (start.attributes().size() > Attribute.COUNT_MAX)
      return Verdict.refused(
          new Reply.LimitReached(
              "COUNT_MAX",
              start.attributes().size(),
              Attribute.COUNT_MAX,
              "Search by fewer attributes."));
    if (state.exists()) startAgain(start);
    else news.add(new News.Started(draft.at, start));
    return new Verdict.Taken(new Reply.Started(start.id(), start.runId()));
  }

  /** Whether another start may take the place of what has the id. */
  private boolean allows(StartPolicy policy) {
    return switch (policy) {
      case REJECT_DUPLICATE -> false;
      case ALLOW_IF_CLOSED -> draft.isOver();
      case TERMINATE_IF_RUNNING -> true;
    };
  }

  /** One commit ends the run, unless it is over, and begins the next: no crash can part them. */
  private void startAgain(Start start) {
    if (!draft.isOver()) end(new Outcome.Terminated(Limits.REPLACED));
    moves.add(new Move.StartAgain(start));
  }

  void move(Move.Plain plain) {
    moves.add(plain);
  }

  /** A message and, unless the workflow is held, its news. */
  void move(Move.Message message) {
    moves.add(message);
    message.of().ifPresent(operation -> draft.take(operation.id()));
    // In a graph it stays open until the program knows.
    boolean closes = message.parent() == Parent.CLOSES && !(draft.isHeld() && draft.isOfGraph());
    if (message.of().isPresent() && closes) draft.close();
    (draft.isHeld() ? withheld : news).addAll(News.of(message.preview()));
  }

  /** Ends the workflow without its program. */
  void end(Outcome outcome) {
    draft.outcome = Optional.of(outcome);
    moves.add(new Move.End(outcome));
  }

  void effect(Effect effect) {
    effects.add(effect);
  }

  /** Once nothing holds it any more, the program learns what it missed, in order. */
  void release() {
    if (draft.isHeld()) return;
    released = true;
    news.addAll(draft.state.withheld);
    news.addAll(withheld);
    withheld.clear();
  }

  static OperationSpec.Message notice(OperationSpec.Child child, OperationSpec.Content content) {
    return new OperationSpec.Message(child.id(), content);
  }
}
