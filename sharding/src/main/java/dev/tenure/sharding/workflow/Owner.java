package dev.tenure.sharding.workflow;

import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.step.ChainLink;
import dev.tenure.persistence.step.Head;
import dev.tenure.persistence.step.Step;
import dev.tenure.sharding.code.CodeListener;
import dev.tenure.sharding.code.CodeProgram;
import dev.tenure.sharding.code.Holdup;
import dev.tenure.sharding.code.StepEnd;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowRegistration;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.Admission;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Decision;
import dev.tenure.workflow.kernel.Effect;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Incident;
import dev.tenure.workflow.kernel.News;
import dev.tenure.workflow.kernel.Replay;
import dev.tenure.workflow.kernel.Reply;
import dev.tenure.workflow.kernel.Wishes;
import dev.tenure.workflow.kernel.WorkflowState;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * The one who decides for a workflow while its tenure lasts: command, admission, code, decision,
 * one commit, effects, answer. Touched by its actor's thread only; the code runs elsewhere, and
 * what comes in while it does waits here.
 */
final class Owner implements CodeListener {
  /** A command that is admitted and whose code has not come back. */
  private record Going(Command command, Instant at, Wishes before, ActorRef<Answer> replyTo) {}

  private final Host host;
  private final WorkflowId id;
  private final Fence fence;
  private final Consumer<Message> self;
  private final Runnable passivate;
  private final Askers askers = new Askers();
  private final Results results;
  private final Inbox inbox;
  private final Performer performer;
  private final Resident resident;
  private final Rows rows;
  private final Deque<Message> waiting = new ArrayDeque<>(2);

  private WorkflowState state = WorkflowState.none();
  private long version;
  private ChainLink link = ChainLink.NONE;
  private Step last;
  private Replay replay = new Replay();

  private CodeProgram program;
  private boolean hasTurn = true;
  private boolean replaying;
  private boolean asking;
  private Going going;
  private boolean told;
  private boolean asked;

  Owner(Host host, WorkflowId id, Fence fence, Consumer<Message> self, Runnable passivate) {
    this.host = host;
    this.id = id;
    this.fence = fence;
    this.self = self;
    this.passivate = passivate;
    this.results = new Results(() -> self.accept(Message.Collect.COLLECT));
    this.inbox =
        new Inbox(
            after ->
                host.inboxes.read(id, after, page -> self.accept(new Message.InboxPage(page))));
    this.performer = new Performer(host, id, results, askers, inbox);
    this.resident = new Resident(self, host.settings);
    this.rows = new Rows(id, fence.shard());
    host.residents.add(resident);
  }

  // --- recovery

  /** A step of the history; one's own steps are folded before they are committed. */
  void fold(Step step) {
    if (replay == null) return;
    if (last != null) step.requireAfter(last);
    for (Event event : step.events()) {
      state = host.kernel.evolve(state, event);
      replay.add(event);
    }
    last = step;
    version = step.head().version();
    link = step.link();
  }

  void recovered() {
    last = null;
    if (!state.exists() || state.phase().isOver() || state.incident().isPresent()) {
      replay = null;
      if (state.exists()) self.accept(new Message.Own(new Command.Recovered()));
      rest();
      return;
    }
    Optional<CodeProgram> code = newProgram(state.start().type());
    if (code.isEmpty()) {
      replay = null;
      self.accept(new Message.Own(new Command.Block(noCode(state.start().type()))));
      return;
    }
    program = code.get();
    replaying = true;
    program.replay(replay.news(state));
    rest();
  }

  private Next replayed(Wishes wishes) {
    replaying = false;
    Replay.Comparison comparison = replay.compare(wishes);
    replay = null;
    return switch (comparison) {
      case Replay.Comparison.Same(Wishes rest) ->
          handle(new Command.Recovered(), rest, now(), null);
      case Replay.Comparison.Drifted(Incident.Drift drift) -> raise(drift);
    };
  }

  private Optional<CodeProgram> newProgram(WorkflowType type) {
    return host.types.find(type).map(this::newProgram);
  }

  private CodeProgram newProgram(WorkflowRegistration<?> registration) {
    return new CodeProgram(
        new CodeProgram.Setting(registration, "workflow " + id, host.codec, host.clock), this);
  }

  private static String noCode(WorkflowType type) {
    return "No code for " + type + " is registered here.";
  }

  // --- from the code, on any thread

  @Override
  public void advanced(CodeProgram code, Wishes wishes) {
    self.accept(new Message.Advanced(code, wishes));
  }

  @Override
  public void stepEnded(CodeProgram code, StepEnd end) {
    if (end.ahead().isPresent()) self.accept(new Message.Ahead(code, end));
    else results.add(new Command.AttemptEnded(end.operation(), end.attempt(), end.outcome()));
  }

  @Override
  public void broken(CodeProgram code, Throwable why) {
    self.accept(new Message.Broken(code, why));
  }

  // --- what comes in

  Next receive(Message message) {
    Next next = next(message);
    if (next == Next.NOTHING) rest();
    return next;
  }

  private Next next(Message message) {
    return switch (message) {
      case Message.Stop stop -> {
        asked = true;
        yield Next.STOP;
      }
      case Message.Advanced(CodeProgram code, Wishes wishes) ->
          code == program ? advanced(wishes) : Next.NOTHING;
      case Message.Ahead(CodeProgram code, StepEnd end) ->
          code == program ? ahead(end, end.ahead().orElseThrow()) : Next.NOTHING;
      case Message.Broken(CodeProgram code, Throwable why) ->
          code == program ? giveUp(new Incident.Other("Code", why.toString())) : Next.NOTHING;
      case Message.Overdue(CodeProgram code) -> code == program ? overdue() : Next.NOTHING;
      case Message.Queried(CodeProgram code, var reply, var replyTo) -> {
        replyTo.tell(new Answer.Queried(reply));
        if (code == program) asking = false;
        yield Next.NOTHING;
      }
      case Message.AwaitEnd(var replyTo) -> {
        awaitEnd(replyTo);
        yield Next.NOTHING;
      }
      case Message.AwaitUpdate(String update, var replyTo) -> {
        awaitUpdate(update, replyTo);
        yield Next.NOTHING;
      }
      case Message.Describe(var replyTo) -> {
        replyTo.tell(
            state.exists()
                ? new Answer.Described(Description.of(state, version))
                : new Answer.Unknown());
        yield Next.NOTHING;
      }
      case Message.GoOn goOn -> {
        told = false;
        Message first = isFree() ? waiting.poll() : null;
        yield first == null ? Next.NOTHING : act(first);
      }
      case Message.Tell tell -> whenFree(tell);
      case Message.Query query -> whenFree(query);
      case Message.WakeUp wake -> whenFree(wake);
      case Message.Collect collect -> whenFree(collect);
      case Message.Due due -> whenFree(due);
      case Message.Idle idle -> whenFree(idle);
      case Message.InboxPage page -> whenFree(page);
      case Message.Own own -> whenFree(own);
    };
  }

  private Next whenFree(Message message) {
    if (waiting.isEmpty() && isFree()) return act(message);
    if (message instanceof Message.Asked from && waiting.size() >= WorkflowSettings.WAITING_MAX)
      from.replyTo().tell(new Answer.Busy(WorkflowSettings.WAITING_MAX));
    else waiting.add(message);
    return Next.NOTHING;
  }

  /** Takes the turn if it is to be had. */
  private boolean isFree() {
    if (going != null || asking || replaying) return false;
    if (program != null && !hasTurn) hasTurn = program.take();
    return hasTurn;
  }

  private Next act(Message message) {
    return switch (message) {
      case Message.Tell(Command command, var replyTo) -> begin(command, replyTo);
      case Message.Own(Command command) -> begin(command, null);
      case Message.Due due -> begin(new Command.Due(), null);
      case Message.Collect collect -> collect();
      case Message.Query query -> query(query);
      case Message.WakeUp wake -> {
        if (state.exists() && !state.phase().isOver()) inbox.look();
        yield state.exists() ? begin(new Command.Due(), null) : Next.NOTHING;
      }
      case Message.InboxPage(var signals) -> {
        Optional<Command.Signals> found = inbox.page(signals, state::awaitsSignal);
        rows.sawSignal(inbox.newest());
        yield found.isPresent() ? begin(found.get(), null) : Next.NOTHING;
      }
      case Message.Idle idle -> {
        if (askers.isEmpty() && waiting.isEmpty() && !inbox.isReading()) passivate.run();
        yield Next.NOTHING;
      }
      default -> throw new IllegalStateException(message + " is not for later.");
    };
  }

  private Next collect() {
    List<Command> taken = results.take();
    if (taken.isEmpty()) return Next.NOTHING;
    return begin(taken.size() == 1 ? taken.getFirst() : new Command.Several(taken), null);
  }

  private Next query(Message.Query query) {
    if (program == null) {
      query
          .replyTo()
          .tell(
              state.exists()
                  ? new Answer.NotNow("Its code does not run: it is " + state.status() + ".")
                  : new Answer.Unknown());
      return Next.NOTHING;
    }
    asking = true;
    program.query(
        query.inquiry(),
        (code, reply) -> self.accept(new Message.Queried(code, reply, query.replyTo())));
    return Next.NOTHING;
  }

  private void awaitEnd(ActorRef<Answer> replyTo) {
    if (!state.exists()) replyTo.tell(new Answer.Unknown());
    else if (state.outcome().isPresent() && isFreeOfDoubt())
      replyTo.tell(new Answer.Ended(state.status(), state.outcome().get()));
    else askers.awaitEnd(replyTo);
  }

  private void awaitUpdate(String update, ActorRef<Answer> replyTo) {
    if (!state.exists()) replyTo.tell(new Answer.Unknown());
    else if (state.answeredUpdates().containsKey(update))
      replyTo.tell(new Answer.Updated(state.answeredUpdates().get(update)));
    else if (state.pendingUpdates().containsKey(update)) askers.awaitUpdate(update, replyTo);
    else replyTo.tell(new Answer.NotNow("No update \"" + update + "\" waits for an answer."));
  }

  /** Messages are handled only between commits: the actor keeps them while one is under way. */
  private boolean isFreeOfDoubt() {
    return last == null;
  }

  // --- a turn

  private Instant now() {
    Instant clock = host.clock.instant();
    // Nothing is earlier than what is committed, whatever the clock does.
    return state.exists() && state.at().isAfter(clock) ? state.at() : clock;
  }

  private Next begin(Command command, ActorRef<Answer> replyTo) {
    if (!state.exists() && command instanceof Command.StartWorkflow(var start)) {
      Optional<CodeProgram> code = newProgram(start.type());
      if (code.isEmpty()) {
        answer(replyTo, new Answer.NotNow(noCode(start.type())));
        return Next.NOTHING;
      }
      program = code.get();
      hasTurn = true;
    }
    Next next = handle(command, Wishes.NONE, now(), replyTo);
    // A start that was refused leaves no code behind.
    if (!state.exists() && going == null) drop();
    return next;
  }

  /**
   * @param before what the code wished for already and nobody granted yet
   */
  private Next handle(Command command, Wishes before, Instant at, ActorRef<Answer> replyTo) {
    return switch (host.kernel.admit(state, command, at)) {
      case Admission.Refused(Reply reply) -> said(replyTo, reply);
      case Admission.Duplicate(Reply reply) -> said(replyTo, reply);
      case Admission.Ignored(String reason) -> said(replyTo, new Reply.NotOpen(reason));
      case Admission.Accepted(List<News> news) -> {
        if (news.isEmpty() || program == null) yield commit(command, before, at, replyTo);
        going = new Going(command, at, before, replyTo);
        program.advance(news);
        yield Next.NOTHING;
      }
    };
  }

  private Next said(ActorRef<Answer> replyTo, Reply reply) {
    answer(replyTo, new Answer.Said(reply));
    return Next.NOTHING;
  }

  private static void answer(ActorRef<Answer> replyTo, Answer answer) {
    if (replyTo != null) replyTo.tell(answer);
  }

  private Next advanced(Wishes wishes) {
    if (replaying) return replayed(wishes);
    Going turn = going;
    going = null;
    return commit(turn.command, turn.before.then(wishes), turn.at, turn.replyTo);
  }

  private Next ahead(StepEnd end, StepEnd.Ahead ahead) {
    program.follow();
    hasTurn = true;
    Command command = new Command.AttemptEnded(end.operation(), end.attempt(), end.outcome());
    if (host.kernel.admit(state, command, ahead.at()) instanceof Admission.Accepted)
      return commit(command, ahead.wishes(), ahead.at(), null);
    // What the code assumed is not so: the next owner starts from the history.
    return Next.STOP;
  }

  private Next commit(Command command, Wishes wishes, Instant at, ActorRef<Answer> replyTo) {
    Decision decision = host.kernel.decide(state, command, wishes, at);
    if (decision.events().isEmpty()) {
      performed(decision, replyTo);
      return Next.NOTHING;
    }
    for (Event event : decision.events()) state = host.kernel.evolve(state, event);
    Head head = new Head(state.operationCount() - state.openOperations().size(), version + 1);
    Step step =
        Step.next(decision.events(), head, fence, link, rows.of(decision.events(), state, at));
    last = step;
    return new Next.Commit(step, () -> committed(step, decision, replyTo));
  }

  private void committed(Step step, Decision decision, ActorRef<Answer> replyTo) {
    last = null;
    version = step.head().version();
    link = step.link();
    performed(decision, replyTo);
    rest();
  }

  private void performed(Decision decision, ActorRef<Answer> replyTo) {
    List<Effect.RunStep> steps =
        performer.perform(decision.effects(), Optional.ofNullable(program));
    if (state.exists() && (state.phase().isOver() || state.incident().isPresent())) drop();
    if (program != null) {
      // The code of a workflow that is held may not go on by itself.
      hasTurn = state.isHeld();
      program.give(state.at(), steps, !state.isHeld());
    }
    answer(replyTo, new Answer.Said(decision.reply()));
  }

  /** Nothing more to do for now: the code may go on, and what waits is taken up. */
  private void rest() {
    boolean busy = going != null || asking || replaying;
    boolean idle = !busy && state.exists() && last == null;
    if (program != null && hasTurn && idle && !state.isHeld()) {
      hasTurn = false;
      program.give(state.at(), List.of(), true);
    }
    if (!waiting.isEmpty() && !busy && !told && last == null && isFree()) {
      told = true;
      self.accept(Message.GoOn.GO_ON);
    }
    boolean quiet = !busy && waiting.isEmpty() && askers.isEmpty();
    resident.update(state, program, quiet, host.clock.millis());
  }

  // --- code that fails its owner

  private Next overdue() {
    if (!(program.holdup(host.settings.codeLimit().toNanos()).orElse(null)
        instanceof Holdup.InCode(Thread thread, boolean spins, String where))) return Next.NOTHING;
    host.carriers.abandon(thread);
    return giveUp(new Incident.Stuck((spins ? "it loops in " : "it waits in ") + where));
  }

  /** What brought the code there is recorded all the same; then a person must look. */
  private Next giveUp(Incident incident) {
    Going turn = going;
    drop();
    going = null;
    asking = false;
    replaying = false;
    replay = null;
    if (turn == null) return raise(incident);
    waiting.addFirst(new Message.Own(new Command.RaiseIncident(incident)));
    return commit(turn.command, turn.before, turn.at, turn.replyTo);
  }

  private Next raise(Incident incident) {
    drop();
    return handle(new Command.RaiseIncident(incident), Wishes.NONE, now(), null);
  }

  private void drop() {
    if (program != null) program.destroy();
    program = null;
    hasTurn = true;
  }

  /** The actor ends. Unless that was asked for, another one takes over what must go on. */
  void close() {
    performer.stop();
    host.residents.remove(resident);
    if (program != null) program.destroy();
    String why = "The owner of " + id + " has gone.";
    if (going != null) answer(going.replyTo, new Answer.Again(why));
    for (Message message : waiting)
      if (message instanceof Message.Asked from) from.replyTo().tell(new Answer.Again(why));
    askers.dismiss(why);
    if (!asked) host.wakeSoon(id);
  }
}
