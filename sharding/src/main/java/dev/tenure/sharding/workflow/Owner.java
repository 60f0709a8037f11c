package dev.tenure.sharding.workflow;

import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.step.Step;
import dev.tenure.sharding.code.CodeProgram;
import dev.tenure.sharding.code.Holdup;
import dev.tenure.sharding.code.Inquiry;
import dev.tenure.sharding.code.StepEnd;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowRegistration;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.Admission;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Decision;
import dev.tenure.workflow.kernel.Effect;
import dev.tenure.workflow.kernel.Incident;
import dev.tenure.workflow.kernel.News;
import dev.tenure.workflow.kernel.Replay;
import dev.tenure.workflow.kernel.Reply;
import dev.tenure.workflow.kernel.Wishes;
import dev.tenure.workflow.kernel.WorkflowState;
import dev.tenure.workflow.lifecycle.WorkflowPhase;
import dev.tenure.workflow.operation.Outcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * A workflow in the hands of whoever holds its shard. It takes up one message at a time: asks the
 * kernel whether it is news, lets the code go on with it, has the kernel decide, and hands one
 * commit to the actor; what follows happens when the commit stands, and not before (I7).
 *
 * <p>It folds what it decided before that is committed. If the commit does not stand, nothing of
 * this object is used again: its successor reads the history.
 */
final class Owner {
  /** The actor around it. */
  interface Self {
    /** From any thread. */
    void tell(Message message);

    /** Asks to be stopped without losing a message. */
    void passivate();
  }

  private final Host host;
  private final Self self;
  private final WorkflowId id;
  private final boolean assumedFresh;
  private final Carry carry;
  private final Chronicle chronicle;
  private final Askers askers = new Askers();
  private final Results results;
  private final Aftermath aftermath;
  private final Inbox inbox;
  private final Rest rest;
  private final CodeReports reports;

  private boolean begun;
  private boolean over;
  private CodeProgram program;
  private boolean hasTurn;
  private Optional<Job> current = Optional.empty();
  private Optional<Replay> replaying = Optional.empty();

  /** What the code asks for beyond the record; granted with the next decision. */
  private Wishes ungranted = Wishes.NONE;

  /** Who is answered when the commit stands that is under way. */
  private Optional<ActorRef<Answer>> committing = Optional.empty();

  private boolean leaving;

  /** It began in order to resolve an incident. */
  private boolean resolving;

  Owner(Host host, Self self, WorkflowId id, Fence fence, boolean assumedFresh, Carry carry) {
    this.host = host;
    this.self = self;
    this.id = id;
    this.assumedFresh = assumedFresh;
    this.carry = carry;
    this.chronicle = new Chronicle(host.kernel, id, fence);
    this.results = new Results(() -> self.tell(Message.Collect.COLLECT));
    this.inbox =
        new Inbox(
            after -> host.inboxes.read(id, after, page -> self.tell(new Message.InboxPage(page))));
    this.rest = new Rest(host.settings, self);
    this.aftermath = new Aftermath(host, id, askers, inbox, results);
    this.reports = new CodeReports(self, results);
    host.residents.add(id, rest);
  }

  private WorkflowState state() {
    return chronicle.state();
  }

  // --- becoming the owner

  void recover(Step step) {
    chronicle.recover(step);
  }

  boolean hasBegun() {
    return begun;
  }

  /** The history is complete. The code is brought to its end, unless the workflow is held. */
  private void begin() {
    begun = true;
    Replay history = chronicle.takeReplay();
    List<Message.Turn> agenda = new ArrayList<>(carry.first);
    carry.first.clear();
    if (state().exists() && state().phase() != WorkflowPhase.CLOSED) {
      rest.stands(state());
      resolving = agenda.stream().anyMatch(Owner::resolves);
      boolean held = state().incident().isPresent() && !resolving;
      if (!held) takeOver(agenda, history);
    }
    agenda.reversed().forEach(carry.waiting::addFirst);
  }

  /** What an earlier owner could not end comes first; then goes out what was in flight. */
  private void takeOver(List<Message.Turn> agenda, Replay history) {
    if (!state().phase().isOver()) {
      Optional<WorkflowRegistration<?>> code = host.types.find(state().start().type());
      if (code.isEmpty()) {
        agenda.addFirst(block(state().start().type()));
        return;
      }
      replay(code.get(), history);
    }
    // A resolution hands out again by itself.
    if (!resolving) agenda.add(new Message.Own(new Command.Recovered()));
  }

  private static boolean resolves(Message message) {
    return message instanceof Message.Tell(Command command, var asker)
        && command instanceof Command.ResolveIncident;
  }

  private static Message.Turn block(WorkflowType type) {
    return new Message.Own(
        new Command.Block("no-worker: this node does not have the code of " + type));
  }

  private void replay(WorkflowRegistration<?> code, Replay history) {
    begins(code);
    replaying = Optional.of(history);
    current = Optional.of(new Job.Replaying());
    program.replay(history.news(state()));
  }

  private void begins(WorkflowRegistration<?> code) {
    program =
        new CodeProgram(new CodeProgram.Setting(code, id.value(), host.codec, host.clock), reports);
    hasTurn = true;
    rest.watch(program);
  }

  private void replayed(Wishes wishes) {
    Replay history = replaying.orElseThrow();
    replaying = Optional.empty();
    switch (history.compare(wishes)) {
      case Replay.Comparison.Same(Wishes more) -> ungranted = more;
      case Replay.Comparison.Drifted(Incident.Drift drift) -> {
        giveUpCode();
        raise(drift);
      }
    }
  }

  /** Nothing else is decided before it. */
  private void raise(Incident incident) {
    resolving = false;
    carry.waiting.removeIf(
        message -> {
          if (!resolves(message)) return false;
          ((Message.Tell) message).replyTo().tell(new Answer.NotNow(incident.message()));
          return true;
        });
    carry.waiting.addFirst(new Message.Own(new Command.RaiseIncident(incident)));
  }

  private void giveUpCode() {
    if (program != null) program.destroy();
    program = null;
    hasTurn = false;
    rest.watchNothing();
  }

  // --- messages

  Next on(Message message) {
    rest.moves();
    leaving = leaving && message instanceof Message.InboxPage;
    if (!begun) begin();
    return switch (message) {
      case Message.Stop stop -> Next.STOP;
      case Message.Advanced(var from, Wishes wishes) ->
          from == program ? advanced(wishes) : Next.NOTHING;
      case Message.Ahead(var from, StepEnd end) -> from == program ? ahead(end) : Next.NOTHING;
      case Message.Queried(var from, var reply) -> from == program ? queried(reply) : Next.NOTHING;
      case Message.Broken(var from, Throwable why) ->
          from == program ? codeFails(brokenCode(why)) : Next.NOTHING;
      case Message.Overdue(var from) -> from == program ? overdue() : Next.NOTHING;
      case Message.InboxPage(var page) -> {
        Optional<Command.Signals> found = inbox.page(page, state()::awaitsSignal);
        found.ifPresent(results::add);
        chronicle.rows().sawSignal(inbox.newest());
        yield inbox.isReading() || found.isPresent() || !leaving ? work() : leave();
      }
      case Message.GoOn m -> work();
      case Message.Turn m -> {
        carry.waiting.add(m);
        yield work();
      }
    };
  }

  private static Incident brokenCode(Throwable why) {
    return new Incident.Other("broken-code", why + ". Deploy code that is whole, then resolve.");
  }

  /** Takes up what waits, until something has to be committed or waited for. */
  private Next work() {
    while (current.isEmpty() && !carry.waiting.isEmpty()) {
      // While the code is ahead, its report is on its way, and everything else comes after it.
      if (program != null && !hasTurn) {
        if (!program.take()) return Next.NOTHING;
        hasTurn = true;
      }
      Message.Turn message = carry.waiting.poll();
      carry.takenUp(message);
      Next next = take(message);
      if (!(next instanceof Next.Nothing)) return next;
    }
    if (current.isEmpty()) quiet(List.of());
    return Next.NOTHING;
  }

  private void quiet(List<Effect.RunStep> steps) {
    if (program != null && hasTurn) {
      boolean free = state().phase() == WorkflowPhase.LIVE && ungranted.isEmpty();
      program.give(state().at(), steps, free);
      hasTurn = !free;
    }
    rest.quiet(state(), isWanted());
  }

  private boolean isWanted() {
    return !askers.isEmpty() || !carry.waiting.isEmpty();
  }

  private Next take(Message.Turn message) {
    if (assumedFresh && !state().exists() && !suitsTheNew(message)) {
      carry.waiting.addFirst(message);
      throw new StartAnewException("It was taken for new, and is asked for something.");
    }
    return switch (message) {
      case Message.Tell tell -> tell(tell);
      case Message.Own(Command command) -> run(command, Optional.empty());
      case Message.Collect c -> collect();
      case Message.Due due -> run(new Command.Due(), Optional.empty());
      case Message.Query query -> query(query);
      case Message.Describe(var asker) -> describe(asker);
      case Message.AwaitEnd(var asker) -> awaitEnd(asker);
      case Message.AwaitUpdate(String updateId, var asker) -> awaitUpdate(updateId, asker);
      case Message.WakeUp w -> wakeUp();
      case Message.Idle idle -> idle();
    };
  }

  private Next tell(Message.Tell tell) {
    boolean forIncident = resolves(tell) && state().exists() && state().incident().isPresent();
    if (forIncident && !resolving) {
      carry.first.add(tell);
      throw new StartAnewException("An incident is resolved: the code begins again.");
    }
    if (!forIncident || program != null) return run(tell.command(), Optional.of(tell.replyTo()));
    resolving = false;
    tell.replyTo().tell(new Answer.NotNow("This node does not have its code."));
    return Next.NOTHING;
  }

  private static boolean suitsTheNew(Message message) {
    return message instanceof Message.Idle
        || message instanceof Message.Tell(Command command, var asker)
            && command instanceof Command.StartWorkflow;
  }

  private Next collect() {
    List<Command> all = results.take();
    if (all.isEmpty()) return Next.NOTHING;
    return run(all.size() == 1 ? all.getFirst() : new Command.Several(all), Optional.empty());
  }

  private Next query(Message.Query query) {
    if (!state().exists()) query.replyTo().tell(new Answer.Unknown());
    else if (program == null)
      query
          .replyTo()
          .tell(
              new Answer.NotNow("The workflow is " + state().status() + ", its code is at rest."));
    else {
      current = Optional.of(new Job.Asking(query.replyTo()));
      program.query(query.inquiry(), reports);
    }
    return Next.NOTHING;
  }

  private Next queried(Inquiry.Reply reply) {
    if (current.isPresent() && current.get() instanceof Job.Asking(var asker)) {
      current = Optional.empty();
      asker.tell(new Answer.Queried(reply));
    }
    return work();
  }

  private Next describe(ActorRef<Answer> asker) {
    asker.tell(
        state().exists()
            ? new Answer.Described(Description.of(state(), chronicle.version()))
            : new Answer.Unknown());
    return Next.NOTHING;
  }

  private Next awaitEnd(ActorRef<Answer> asker) {
    if (!state().exists()) asker.tell(new Answer.Unknown());
    else if (state().outcome().isPresent())
      asker.tell(new Answer.Ended(state().status(), state().outcome().get()));
    else askers.awaitEnd(asker);
    return Next.NOTHING;
  }

  private Next awaitUpdate(String updateId, ActorRef<Answer> asker) {
    Optional<Outcome> answer = Optional.ofNullable(state().answeredUpdates().get(updateId));
    if (answer.isPresent()) asker.tell(new Answer.Updated(answer.get()));
    else if (state().pendingUpdates().containsKey(updateId)) askers.awaitUpdate(updateId, asker);
    else asker.tell(new Answer.NotNow("No update \"" + updateId + "\" waits for an answer."));
    return Next.NOTHING;
  }

  private Next wakeUp() {
    if (!state().exists() || state().phase().isOver()) return Next.NOTHING;
    boolean codeCame =
        state().blockReason().isPresent() && host.types.find(state().start().type()).isPresent();
    if (codeCame) throw new StartAnewException("The code that it waited for is here.");
    inbox.look();
    return run(new Command.Due(), Optional.empty());
  }

  // --- deciding

  private Next run(Command command, Optional<ActorRef<Answer>> asker) {
    if (command instanceof Command.StartWorkflow) host.takeFresh(id);
    Instant now = host.clock.instant();
    return switch (host.kernel.admit(state(), command, now)) {
      case Admission.Refused(Reply reply) -> answered(asker, reply);
      case Admission.Duplicate(Reply reply) -> answered(asker, reply);
      case Admission.Ignored(String reason) -> answered(asker, new Reply.AlreadyDone(reason));
      case Admission.Accepted(List<News> news) -> {
        if (command instanceof Command.StartWorkflow(var start)) {
          Optional<WorkflowRegistration<?>> code = host.types.find(start.type());
          if (code.isPresent()) begins(code.get());
          else carry.waiting.addFirst(block(start.type()));
        }
        if (command instanceof Command.Update update)
          asker.ifPresent(one -> askers.awaitUpdate(update.updateId(), one));
        if (news.isEmpty() || program == null) yield decide(command, Wishes.NONE, now, asker);
        current = Optional.of(new Job.Deciding(command, now, asker));
        program.advance(news);
        yield Next.NOTHING;
      }
    };
  }

  private Next answered(Optional<ActorRef<Answer>> asker, Reply reply) {
    asker.ifPresent(one -> askers.answer(one, reply));
    return Next.NOTHING;
  }

  private Next advanced(Wishes wishes) {
    Job job = current.orElseThrow();
    current = Optional.empty();
    if (job instanceof Job.Replaying) {
      replayed(wishes);
      return work();
    }
    if (!(job instanceof Job.Deciding deciding))
      throw new IllegalStateException("The code answers what it was not asked: " + job);
    Next next = decide(deciding.command(), wishes, deciding.now(), deciding.replyTo());
    return next instanceof Next.Nothing ? work() : next;
  }

  /** A step came out, and the code has gone on: both are decided together, as it assumed. */
  private Next ahead(StepEnd end) {
    program.follow();
    hasTurn = true;
    StepEnd.Ahead ahead = end.ahead().orElseThrow();
    Command command = new Command.AttemptEnded(end.operation(), end.attempt(), end.outcome());
    boolean asAssumed =
        host.kernel.admit(state(), command, ahead.at()) instanceof Admission.Accepted(var news)
            && news.equals(List.of(new News.Completed(ahead.at(), end.operation(), end.outcome())));
    if (!asAssumed) {
      carry.waiting.addFirst(new Message.Own(command));
      throw new StartAnewException("The code went on with what is not admitted.");
    }
    Next next = decide(command, ahead.wishes(), ahead.at(), Optional.empty());
    return next instanceof Next.Nothing ? work() : next;
  }

  private Next decide(
      Command command, Wishes wishes, Instant now, Optional<ActorRef<Answer>> asker) {
    Wishes all = ungranted.then(wishes);
    ungranted = Wishes.NONE;
    Decision decision = host.kernel.decide(state(), command, all, now);
    Optional<String> tooLarge = Chronicle.tooLarge(decision.events());
    if (tooLarge.isPresent()) return tooLarge(command, asker, tooLarge.get());
    if (decision.events().isEmpty()) {
      follow(decision, asker);
      return Next.NOTHING;
    }
    Step step = chronicle.next(decision.events(), now);
    committing = asker;
    return new Next.Commit(
        step,
        () -> {
          committing = Optional.empty();
          rest.stands(state());
          quiet(follow(decision, asker));
          if (!carry.waiting.isEmpty()) self.tell(Message.GoOn.GO_ON);
        });
  }

  /** What follows, once it stands; returns what the code is to run. */
  private List<Effect.RunStep> follow(Decision decision, Optional<ActorRef<Answer>> asker) {
    List<Effect.RunStep> toRun = List.of();
    for (Effect effect : decision.effects()) {
      aftermath.perform(effect, state());
      if (effect instanceof Effect.RunStep run) {
        if (toRun.isEmpty()) toRun = new ArrayList<>(1);
        toRun.add(run);
      }
      if (effect instanceof Effect.StopAttempt stop && program != null)
        program.stop(stop.operation(), stop.attempt());
    }
    aftermath.release(state());
    // Whoever sent an update waits for its answer already, not for a receipt.
    if (!(decision.reply() instanceof Reply.UpdatePending))
      asker.ifPresent(one -> askers.answer(one, decision.reply()));
    if (state().exists() && state().phase().isOver()) giveUpCode();
    return toRun;
  }

  private Next tooLarge(Command command, Optional<ActorRef<Answer>> asker, String why) {
    giveUpCode();
    carry.waiting.addFirst(new Job.Deciding(command, host.clock.instant(), asker).message());
    raise(new Incident.Other("commit-too-large", why));
    self.tell(Message.GoOn.GO_ON);
    return Next.NOTHING;
  }

  // --- code that does not come back

  /** The code is given up, and what it did not finish is recorded after an incident says so. */
  private Next codeFails(Incident incident) {
    Optional<Job> job = current;
    current = Optional.empty();
    replaying = Optional.empty();
    program.ownResult().ifPresent(own -> carry.waiting.addFirst(new Message.Own(own)));
    giveUpCode();
    if (job.isPresent() && job.get() instanceof Job.Asking(var asker))
      asker.tell(new Answer.NotNow(incident.message()));
    Optional<Job.Deciding> deciding =
        job.filter(Job.Deciding.class::isInstance).map(Job.Deciding.class::cast);
    boolean starts =
        deciding.isPresent() && deciding.get().command() instanceof Command.StartWorkflow;
    if (deciding.isPresent() && !starts) carry.waiting.addFirst(deciding.get().message());
    raise(incident);
    // A start stands, whatever its code is worth.
    return starts
        ? decide(
            deciding.get().command(), Wishes.NONE, deciding.get().now(), deciding.get().replyTo())
        : work();
  }

  private Next overdue() {
    Optional<Holdup> holdup = program.holdup();
    if (holdup.isEmpty()) return Next.NOTHING;
    return switch (holdup.get()) {
      case Holdup.InCode(Thread thread, boolean spins, String where) -> {
        Next next =
            codeFails(
                new Incident.Stuck(
                    "it ran for more than %s between two calls of the context, %s"
                        .formatted(host.settings.codeLimit(), where)));
        if (spins) host.carriers.abandon(thread);
        else thread.interrupt();
        yield next;
      }
      case Holdup.InStep(String step) -> {
        // A step that nobody wants keeps the thread: the code goes on, on another one.
        program.ownResult().ifPresent(own -> carry.first.add(new Message.Own(own)));
        if (current.isPresent() && current.get() instanceof Job.Deciding deciding)
          carry.first.add(deciding.message());
        throw new StartAnewException("Step " + step + " does not give its thread back.");
      }
    };
  }

  // --- leaving

  private Next idle() {
    if (!rest.wouldRest(state(), isWanted())) return Next.NOTHING;
    if (!state().exists() || state().phase() == WorkflowPhase.CLOSED) {
      self.passivate();
      return Next.NOTHING;
    }
    leaving = true;
    // What was accepted and not heard of must not be slept over.
    inbox.look();
    return Next.NOTHING;
  }

  /** Nothing new is in the inbox; its row says when it is due, also after signals moved that. */
  private Next leave() {
    leaving = false;
    if (current.isPresent() || !carry.waiting.isEmpty()) return work();
    if (!chronicle.rows().isBehind()) {
      self.passivate();
      return work();
    }
    if (program != null && !hasTurn && !program.take()) return Next.NOTHING;
    hasTurn = program != null;
    Step step = chronicle.next(List.of(), host.clock.instant());
    return new Next.Commit(
        step,
        () -> {
          quiet(List.of());
          self.passivate();
        });
  }

  /** Called when this owner is of no use any more. */
  void end(String why) {
    if (over) return;
    over = true;
    host.residents.remove(id, rest);
    giveUpCode();
    aftermath.end(state());
    Answer again = new Answer.Again(why);
    committing.ifPresent(asker -> asker.tell(again));
    askers.dismiss(why);
    if (current.isEmpty()) return;
    switch (current.get()) {
      case Job.Asking(var asker) -> asker.tell(again);
      case Job.Replaying replay -> {}
      case Job.Deciding deciding -> {
        // What is carried over is answered by the next owner.
        if (!carry.first.contains(deciding.message()))
          deciding.replyTo().ifPresent(asker -> asker.tell(again));
      }
    }
  }
}
