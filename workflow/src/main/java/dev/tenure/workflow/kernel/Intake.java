package dev.tenure.workflow.kernel;

import dev.tenure.workflow.Attribute;
import dev.tenure.workflow.StartPolicy;
import dev.tenure.workflow.collation.Parent;
import dev.tenure.workflow.operation.MessageContent;
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
 * Admits commands: says of each whether it is news, and collects the changes that it plans. {@link
 * Kernel#decide} admits the same commands again, so nothing is carried over from {@link
 * Kernel#admit}.
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

  final ProvisionalState provisional;
  final List<PlannedChange> changes = new ArrayList<>(2);
  final List<Effect> effects = new ArrayList<>(2);
  private final List<News> news = new ArrayList<>(2);
  private final List<News> withheld = new ArrayList<>(0);
  private boolean released;

  /** Whether the program answers this command with wishes, even when there is no news for it. */
  private boolean withProgram;

  /** Whether the program is asked in this commit. */
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
    for (News one : untoldNews())
      if (one instanceof News.Completed completed) untold.add(completed.operation());
    return untold;
  }

  /** The news that the program does not learn yet, in order. */
  List<News> untoldNews() {
    if (released || provisional.state.withheld.isEmpty()) return List.copyOf(withheld);
    List<News> untold = new ArrayList<>(provisional.state.withheld);
    untold.addAll(withheld);
    return untold;
  }

  /** The news for the program. A program that was ended from outside gets none. */
  List<News> news() {
    return provisional.isOver() ? List.of() : news;
  }

  Verdict verdict;

  private Intake(WorkflowState state, Instant now, KernelLimits limits) {
    this.provisional = new ProvisionalState(state, now, limits);
  }

  static Intake of(WorkflowState state, Command command, Instant now, KernelLimits limits) {
    Intake intake = new Intake(state, now, limits);
    intake.verdict = intake.take(command);
    return intake;
  }

  private Verdict take(Command command) {
    if (command instanceof Command.StartWorkflow(Start start, StartPolicy policy))
      return start(start, policy);
    // The program gets all of it from the record, once it is here.
    if (command instanceof Command.ForkWorkflow fork)
      return start(fork.start(), StartPolicy.REJECT_DUPLICATE) instanceof Verdict.Not not
          ? not
          : forked(fork.start());
    if (!provisional.state.exists()) return Verdict.refused(new Reply.Unknown());
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
      case Command.Order c -> new ControlCommands(this).take(c);
      case Command.Block c -> new ControlCommands(this).block(c);
      case Command.ResourceDiffers c -> new ControlCommands(this).differs(c);
      case Command.RaiseIncident c -> new ControlCommands(this).raise(c);
      case Command.Recovered c -> new ControlCommands(this).recovered(c.cameOut());
      case Command.GrantMore c -> grantMore();
      case Command.Begins c -> throw new IllegalArgumentException("Starts come alone.");
      case Command.Several c -> throw new IllegalArgumentException("Several hold no several.");
    };
  }

  private Verdict grantMore() {
    if (provisional.isOver())
      return Verdict.ignored("The workflow has ended and asks for nothing.");
    bringsProgram();
    return Verdict.TAKEN;
  }

  private Verdict start(Start start, StartPolicy policy) {
    WorkflowState state = provisional.state;
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
    if (state.exists()) {
      Optional<Verdict> tooMuch = whyNoRoom();
      if (tooMuch.isPresent()) return tooMuch.get();
      startAgain(start);
    } else news.add(new News.Started(provisional.at, start));
    return new Verdict.Taken(new Reply.Started(start.id(), start.runId()));
  }

  /** One commit has to hold all that the run before leaves to be delivered. */
  private Optional<Verdict> whyNoRoom() {
    WorkflowState state = provisional.state;
    // A run that is over has given back the signals that its program did not receive.
    List<News> untold = provisional.isOver() ? List.of() : state.withheld;
    RenewalSize size = RenewalSize.of(state.openOperations(), untold);
    int max = provisional.limits.carriedBytes();
    if (size.bytes() <= max) return Optional.empty();
    return Optional.of(
        Verdict.refused(
            new Reply.LimitReached(
                Limits.CARRIED_BYTES,
                size.bytes(),
                max,
                provisional.isOver()
                    ? "Start it again when more of what the run before sent is delivered."
                    : "Terminate the run, and start it again when what it leaves is delivered.")));
  }

  /** Whether another start may take the place of what has the id. */
  private boolean allows(StartPolicy policy) {
    return switch (policy) {
      case REJECT_DUPLICATE -> false;
      case ALLOW_IF_CLOSED -> provisional.isOver();
      case TERMINATE_IF_RUNNING -> true;
    };
  }

  /**
   * One commit ends the run, unless it has ended, and begins the next: no crash can come between.
   */
  private void startAgain(Start start) {
    if (!provisional.isOver()) end(new Outcome.Terminated(Limits.REPLACED));
    changes.add(new PlannedChange.StartAgain(start));
  }

  void plan(PlannedChange.Plain plain) {
    changes.add(plain);
  }

  /** A message and, unless the workflow is held, its news. */
  void plan(PlannedChange.Message message) {
    changes.add(message);
    message.of().ifPresent(operation -> provisional.take(operation.id()));
    // In a graph the operation stays open until the program has the news.
    boolean closes =
        message.parent() == Parent.CLOSES && !(provisional.isHeld() && provisional.isOfGraph());
    if (closes) message.of().ifPresent(provisional::close);
    (provisional.isHeld() ? withheld : news).addAll(News.of(message.preview()));
  }

  /** Ends the workflow without its program. */
  void end(Outcome outcome) {
    provisional.outcome = Optional.of(outcome);
    changes.add(new PlannedChange.End(outcome));
  }

  void effect(Effect effect) {
    effects.add(effect);
  }

  /**
   * When nothing holds the workflow any more, its program gets the news that it missed, in order.
   */
  void release() {
    if (provisional.isHeld()) return;
    released = true;
    news.addAll(provisional.state.withheld);
    news.addAll(withheld);
    withheld.clear();
  }

  static OperationSpec.Message notice(OperationSpec.Child child, MessageContent content) {
    return new OperationSpec.Message(child.id(), content);
  }
}
