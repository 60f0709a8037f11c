package dev.tenure.sharding.workflow;

import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.step.Step;
import dev.tenure.sharding.code.CodeProgram;
import dev.tenure.sharding.code.Inquiry;
import dev.tenure.sharding.code.StepEnd;
import dev.tenure.sharding.recovery.Suspects;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowRegistration;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Incident;
import dev.tenure.workflow.kernel.Replay;
import dev.tenure.workflow.kernel.Wishes;
import dev.tenure.workflow.kernel.WorkflowState;
import dev.tenure.workflow.lifecycle.WorkflowPhase;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A workflow in the hands of whoever holds its shard. It takes up one message at a time: asks the
 * kernel whether it is news, lets the code go on with it, has the kernel decide, and hands one
 * commit to the actor; what follows happens when the commit stands, and not before (I7).
 *
 * <p>It folds what it decided before that is committed. If the commit does not stand, nothing of
 * this object is used again: its successor reads the history.
 */
final class Owner {
  /** The kind of an incident: it takes the nodes down that run it. */
  static final String POISON = "poison";

  private static final String NO_CODE = "This node does not have its code.";

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
  private final Askers askers;
  private final Results results;
  private final Aftermath aftermath;
  private final Inbox inbox;
  private final Rest rest;
  private final CodeRun code;
  private final Decisions decisions;
  private final ReplayedQueries replayed;

  private boolean begun;
  private boolean over;
  private boolean leaving;

  /** What it began for, to resolve an incident or to move to another version; null otherwise. */
  private Message.Tell mending;

  Owner(Host host, Self self, WorkflowId id, Fence fence, boolean assumedFresh, Carry carry) {
    this.host = host;
    this.self = self;
    this.id = id;
    this.assumedFresh = assumedFresh;
    this.carry = carry;
    this.askers = new Askers(host.nanos);
    SeenSignals seen = new SeenSignals();
    this.chronicle =
        new Chronicle(
            host.kernel,
            id,
            fence,
            seen,
            new RepairRows(
                id, fence.shard(), host.suspects.isKnown(id), host.suspects::progressed));
    this.results = new Results(() -> self.tell(Message.Collect.COLLECT));
    this.inbox =
        new Inbox(
            seen,
            after ->
                host.inboxes.read(id, after, page -> self.tell(new Message.InboxPage(this, page))));
    this.rest = new Rest(host.settings, host.nanos, self, carry);
    this.aftermath = new Aftermath(host, id, askers, inbox, results);
    CodeReports reports = new CodeReports(self, results);
    this.code = new CodeRun(host, id, rest, reports);
    this.replayed = new ReplayedQueries(host, self, id, rest, reports);
    this.decisions = new Decisions(host, self, id, carry, chronicle, code, askers, aftermath, rest);
    host.residents.add(id, rest);
  }

  private WorkflowState state() {
    return chronicle.state();
  }

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
    Command.Recovered recovered = carry.results.handTo(results, state());
    List<Message.Turn> agenda = new ArrayList<>(carry.first);
    carry.first.clear();
    if (state().exists() && state().phase() != WorkflowPhase.CLOSED) {
      rest.stands(state());
      mending = (Message.Tell) agenda.stream().filter(this::mends).findFirst().orElse(null);
      boolean held = state().incident().isPresent() && mending == null;
      if (!held && !isConvicted()) takeOver(agenda, history, recovered);
    }
    agenda.reversed().forEach(carry.waiting::addFirst);
    // Before whatever would have its code begin again.
    if (isConvicted()) standStill();
  }

  /** It was at work when nodes were lost, and others are tried before it. */
  private Next waits(Message message) {
    if (message instanceof Message.Turn turn) carry.waiting.add(turn);
    return Next.NOTHING;
  }

  private boolean isConvicted() {
    return host.suspects.leave(id) == Suspects.Leave.STAND_STILL && state().runs();
  }

  /** The commit that raises it is also where counting the lost nodes ends. */
  private void standStill() {
    host.suspects
        .find(id)
        .ifPresent(
            recovery ->
                carry.raise(
                    new Incident.Other(
                        POISON,
                        "%d nodes were lost while it was at work, %d of them while it was tried alone. Its code is not run any more. Mend what ends the process, then resolve, or terminate it."
                            .formatted(recovery.losses(), recovery.alone()))));
  }

  /** What an earlier owner could not end comes first; then goes out what was in flight. */
  private void takeOver(List<Message.Turn> agenda, Replay history, Command.Recovered recovered) {
    if (!state().phase().isOver()) {
      Optional<WorkflowRegistration<?>> found = host.types.find(Mending.type(mending, state()));
      if (found.isEmpty() && mending != null) {
        // It stays as it is: what would mend it needs the code.
        agenda.removeIf(message -> Carry.refusesToMend(message, NO_CODE));
        mending = null;
        if (state().incident().isEmpty()) takeOver(agenda, history, recovered);
        return;
      }
      if (found.isEmpty()) {
        agenda.addFirst(Decisions.block(state().start().type()));
        return;
      }
      decisions.awaits(new Job.Replaying());
      code.replay(found.get(), history, state());
    }
    // What mends hands out again by itself. What still lacks code stays blocked: to hand it out
    // would only count attempts that nobody makes.
    boolean lacksCode =
        !state().phase().isOver() && state().blockReason().isPresent() && !code.allIsHere(state());
    if (mending == null && !lacksCode) agenda.add(new Message.Own(recovered));
  }

  private void replayed() {
    if (code.replayed() instanceof Replay.Comparison.Drifted(Incident.Drift drift)) {
      code.giveUp();
      if (Mending.moves(mending)) {
        // It does not fit there, which says nothing about where it is.
        carry.waiting.removeIf(message -> Carry.refusesToMend(message, drift.message()));
        throw new StartAnewException("It goes on with the version that it had.");
      }
      carry.raise(drift);
    }
  }

  // --- messages

  Next on(Message message) {
    rest.moves();
    leaving = leaving && message instanceof Message.InboxPage;
    if (message instanceof Message.Stop) return Next.STOP;
    if (decisions.isRenewed()) {
      if (message instanceof Message.Turn turn) carry.waiting.add(turn);
      throw new StartAnewException("The next run begins.");
    }
    if (!begun) {
      if (host.suspects.leave(id) == Suspects.Leave.WAIT) return waits(message);
      begin();
    }
    return switch (message) {
      case Message.Stop stop -> Next.STOP;
      case Message.Advanced(var from, Wishes wishes) ->
          code.is(from) ? advanced(wishes) : beside(from, () -> replayed.advanced(wishes));
      case Message.Ahead(var from, StepEnd end) ->
          code.is(from) ? orWork(decisions.ahead(end)) : Next.NOTHING;
      case Message.Queried(var from, var reply) ->
          code.is(from) ? queried(reply) : beside(from, () -> replayed.queried(reply));
      case Message.Broken(var from, Throwable why) ->
          code.is(from) ? orWork(decisions.broken(why)) : beside(from, () -> replayed.broken(why));
      case Message.Overdue(var from, long since) ->
          code.is(from)
              ? orWork(decisions.overdue(since))
              : beside(from, () -> replayed.overdue(since));
      case Message.PastRead(var from, var run, var failure) -> {
        if (from == replayed) replayed.read(run, failure);
        yield work();
      }
      case Message.InboxPage(var from, var page) -> {
        // What an owner before this one asked for says nothing: it has been consumed since.
        if (from != this) yield Next.NOTHING;
        Optional<Command.Signals> found = inbox.page(page, state()::awaitsSignal);
        found.ifPresent(results::add);
        yield inbox.isReading() || found.isPresent() || !leaving ? work() : leave();
      }
      case Message.GoOn m -> work();
      case Message.Turn m -> {
        carry.waiting.add(m);
        yield work();
      }
    };
  }

  /** A report of the replay that answers queries, unless it was given up. */
  private Next beside(CodeProgram from, Runnable report) {
    if (!replayed.is(from)) return Next.NOTHING;
    report.run();
    return work();
  }

  /** Takes up what waits, until something has to be committed or waited for. */
  private Next work() {
    while (!decisions.awaitsCode() && !carry.waiting.isEmpty()) {
      if (!code.leavesTheTurn()) return Next.NOTHING;
      Message.Turn message = carry.waiting.poll();
      carry.takenUp(message);
      Next next = take(message);
      if (!(next instanceof Next.Nothing)) return next;
    }
    if (!decisions.awaitsCode()) decisions.quiet(List.of());
    return Next.NOTHING;
  }

  private Next take(Message.Turn message) {
    if (assumedFresh && !state().exists() && !suitsTheNew(message)) {
      carry.waiting.addFirst(message);
      throw new StartAnewException("It was taken for new, and is asked for something.");
    }
    return switch (message) {
      case Message.Tell tell -> tell(tell);
      case Message.Own(Command command) -> decisions.on(command, Optional.empty());
      case Message.Collect c -> collect();
      case Message.Due due -> decisions.on(new Command.Due(), Optional.empty());
      case Message.Query query -> query(query);
      case Message.Describe(var asker) -> {
        askers.describe(asker, state(), chronicle.version());
        yield Next.NOTHING;
      }
      case Message.AwaitEnd(var runId, var asker) -> {
        askers.awaitEnd(runId, asker, state());
        yield Next.NOTHING;
      }
      case Message.AwaitUpdate(String updateId, var asker) -> {
        askers.awaitUpdate(updateId, asker, state());
        yield Next.NOTHING;
      }
      case Message.WakeUp w -> wakeUp();
      case Message.Idle idle -> idle();
    };
  }

  private Next tell(Message.Tell tell) {
    if (Mending.isOf(tell.command(), state()) && !(tell.equals(mending) && code.isHere())) {
      carry.first.add(tell);
      throw new StartAnewException("The code begins again, as it is to go on.");
    }
    // The next incident of this run of the code needs a new one, too.
    if (tell.equals(mending)) mending = null;
    return decisions.on(tell.command(), Optional.of(tell.replyTo()));
  }

  private boolean mends(Message message) {
    return message instanceof Message.Tell(Command command, var asker)
        && Mending.isOf(command, state());
  }

  private static boolean suitsTheNew(Message message) {
    return message instanceof Message.Idle
        || message instanceof Message.Tell(Command command, var asker)
            && command instanceof Command.StartWorkflow;
  }

  private Next collect() {
    List<Command> all = results.take();
    if (all.isEmpty()) return Next.NOTHING;
    return decisions.on(
        all.size() == 1 ? all.getFirst() : new Command.Several(all), Optional.empty());
  }

  private Next query(Message.Query query) {
    if (!state().exists()) query.replyTo().tell(new Answer.Unknown());
    else if (!code.isHere()) replayed.ask(query, state());
    else if (!host.runaways.refuse(state().start().type(), query)) {
      decisions.awaits(new Job.Asking(query.inquiry(), query.replyTo()));
      code.query(query.inquiry());
    }
    return Next.NOTHING;
  }

  private Next queried(Inquiry.Reply reply) {
    if (decisions.takeJob() instanceof Job.Asking(var inquiry, var asker))
      asker.tell(new Answer.Queried(reply));
    return work();
  }

  private Next wakeUp() {
    if (!state().exists() || state().phase().isOver()) return Next.NOTHING;
    boolean waitsForCode = state().blockReason().isPresent() && state().incident().isEmpty();
    if (waitsForCode && code.allIsHere(state()))
      throw new StartAnewException("The code that it waited for is here.");
    chronicle.rows().wasDue();
    inbox.look();
    return decisions.on(new Command.Due(), Optional.empty());
  }

  private Next advanced(Wishes wishes) {
    return switch (decisions.takeJob()) {
      case Job.Replaying replay -> {
        replayed();
        yield work();
      }
      case Job.Deciding deciding -> orWork(decisions.decide(deciding, wishes));
      case Job.Asking(var inquiry, var asker) -> {
        // What only looks cannot bring this about; if it could, the one who asked is told.
        asker.tell(new Answer.NotNow("Query " + inquiry.name() + " came to no answer."));
        yield work();
      }
    };
  }

  private Next orWork(Next next) {
    return next instanceof Next.Nothing ? work() : next;
  }

  private Next idle() {
    if (!rest.wouldRest(state(), decisions.isWanted() || replayed.isAtWork())) return Next.NOTHING;
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
    if (decisions.awaitsCode() || !carry.waiting.isEmpty()) return work();
    if (!chronicle.rows().isBehind(state())) {
      self.passivate();
      return work();
    }
    if (!code.leavesTheTurn()) return Next.NOTHING;
    Step step = chronicle.next(chronicle.encode(List.of()), List.of(), host.clock.instant());
    return new Next.Commit(
        step,
        () -> {
          chronicle.stands();
          decisions.quiet(List.of());
          self.passivate();
        });
  }

  /** Called when this owner is of no use any more. */
  void end(String why) {
    if (over) return;
    over = true;
    host.residents.remove(id, rest);
    if (begun) decisions.passOn(results);
    code.giveUp();
    replayed.end(why);
    aftermath.end(state());
    decisions.end(why);
  }
}
