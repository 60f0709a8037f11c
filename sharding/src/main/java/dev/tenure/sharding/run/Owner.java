package dev.tenure.sharding.run;

import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.persistence.entry.Snapshot;
import dev.tenure.sharding.commit.HistoryWriter;
import dev.tenure.sharding.commit.RepairRows;
import dev.tenure.sharding.effect.EffectRunner;
import dev.tenure.sharding.effect.PendingReplies;
import dev.tenure.sharding.host.Host;
import dev.tenure.sharding.host.Watched;
import dev.tenure.sharding.mailbox.Inbox;
import dev.tenure.sharding.mailbox.IncomingResults;
import dev.tenure.sharding.mailbox.PendingMessages;
import dev.tenure.sharding.mailbox.SeenSignals;
import dev.tenure.sharding.mailbox.SignalTaking;
import dev.tenure.sharding.message.Answer;
import dev.tenure.sharding.message.IncomingSignal;
import dev.tenure.sharding.message.Message;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.WorkflowState;
import dev.tenure.workflow.owner.Decider;
import dev.tenure.workflow.owner.Next;
import java.util.List;
import java.util.Optional;

/**
 * Decides for one run of a workflow, in the hands of whoever holds its shard. It takes up one
 * message at a time: asks the kernel whether it is news, lets the code go on with it, has the
 * kernel decide, and hands out one commit; what follows happens when the commit stands, and not
 * before (I7).
 *
 * <p>It folds what it decided before that is committed. If the commit does not stand, nothing of
 * this object is used again: its successor reads the history. When a run continues as new, its
 * successor goes on with the history that is in memory, and with those who wait for answers.
 */
public final class Owner implements Decider<Message, JournalEntry, Snapshot> {
  /** What carries it. */
  public interface Self extends Watched {
    /** From any thread. */
    void tell(Message message);
  }

  private final Host host;
  private final Self self;
  private final WorkflowId id;
  private final boolean assumedFresh;
  private final PendingMessages pending;
  private final HistoryWriter chronicle;
  private final SeenSignals seen;
  private final SignalTaking signals;
  private final PendingReplies askers;
  private final Residency rest;
  private final IncomingResults results;
  private final EffectRunner aftermath;
  private final Inbox inbox;
  private final CodeRun code;
  private final Decisions decisions;
  private final RunTakeUp takeUp;
  private final ReportHandler reports;
  private final Departure departure;
  private final ReplayedQueries replayed;

  /** Why it must stand still, when the owners before it failed. */
  private final Optional<String> failure;

  private boolean begun;

  /** As a node takes it up. */
  public Owner(
      Host host,
      Self self,
      WorkflowId id,
      Fence fence,
      boolean assumedFresh,
      PendingMessages pending,
      Optional<String> failure) {
    this.host = host;
    this.self = self;
    this.id = id;
    this.assumedFresh = assumedFresh;
    this.pending = pending;
    this.failure = failure;
    this.askers = new PendingReplies(host.limits.askers(), host.nanos);
    this.seen = new SeenSignals();
    this.signals = new SignalTaking(seen, pending, self::tell);
    this.chronicle =
        new HistoryWriter(host.kernel, id, fence, seen, RepairRows.of(id, fence, host.suspects));
    this.rest = new Residency(host.settings, host.nanos, self, pending);
    this.results = new IncomingResults(host.limits, () -> self.tell(Message.Collect.COLLECT));
    this.inbox = inbox();
    this.aftermath = new EffectRunner(host, id, askers, inbox, results);
    CodeReports toOwner = new CodeReports(self, results);
    this.code = new CodeRun(host, id, rest, toOwner);
    this.replayed = new ReplayedQueries(host, self, id, rest, toOwner);
    this.decisions = new Decisions(host, id, pending, chronicle, code, askers, aftermath, rest);
    this.takeUp = new RunTakeUp(host, id, pending, chronicle, results, code, rest);
    CodeFailures failures = new CodeFailures(host, pending, chronicle, code, decisions);
    this.reports = new ReportHandler(code, decisions, failures, takeUp);
    this.departure = new Departure(host, chronicle, rest, inbox, code, decisions);
    host.residents.add(id, rest);
  }

  /** For the run that follows: what a run does not share with the one before it is new. */
  private Owner(Owner before) {
    this.host = before.host;
    this.self = before.self;
    this.id = before.id;
    this.assumedFresh = false;
    this.pending = before.pending;
    this.failure = Optional.empty();
    this.askers = before.askers;
    this.seen = before.seen;
    this.signals = before.signals;
    this.chronicle = before.chronicle;
    this.rest = before.rest;
    this.results = new IncomingResults(host.limits, () -> self.tell(Message.Collect.COLLECT));
    this.inbox = inbox();
    this.aftermath = new EffectRunner(host, id, askers, inbox, results);
    CodeReports toOwner = new CodeReports(self, results);
    this.code = new CodeRun(host, id, rest, toOwner);
    this.replayed = new ReplayedQueries(host, self, id, rest, toOwner);
    this.decisions = new Decisions(host, id, pending, chronicle, code, askers, aftermath, rest);
    this.takeUp = new RunTakeUp(host, id, pending, chronicle, results, code, rest);
    CodeFailures failures = new CodeFailures(host, pending, chronicle, code, decisions);
    this.reports = new ReportHandler(code, decisions, failures, takeUp);
    this.departure = new Departure(host, chronicle, rest, inbox, code, decisions);
    // What that look brings is not taken up here, and without one nobody knows what waits.
    if (before.inbox.isReading()) inbox.look();
  }

  private Inbox inbox() {
    return new Inbox(
        seen,
        results,
        host.clock,
        after -> host.inboxes.read(id, after, page -> self.tell(new Message.InboxPage(this, page))),
        this::state);
  }

  private WorkflowState state() {
    return chronicle.state();
  }

  @Override
  public void recover(JournalEntry entry) {
    chronicle.recover(entry);
  }

  @Override
  public void restore(Snapshot snapshot) {
    decisions.restore(snapshot);
  }

  @Override
  public Next<JournalEntry> begin() {
    return on(Message.GoOn.GO_ON);
  }

  @Override
  public Decider<Message, JournalEntry, Snapshot> carryOver() {
    endRun("The next run begins.");
    return new Owner(this);
  }

  // --- messages

  @Override
  public Next<JournalEntry> on(Message message) {
    rest.moves();
    departure.comes(message);
    if (message instanceof Message.ProgramRead read && !code.programs().read(read))
      return Next.nothing();
    if (!begun) {
      if (takeUp.mustWait()) {
        if (message instanceof Message.Queued m) pending.add(m);
        return Next.nothing();
      }
      begun = true;
      Next<JournalEntry> next = beginKeeping(message);
      if (!(next instanceof Next.Nothing)) return next;
    }
    return switch (message) {
      case Message.Stop stop -> Next.nothing();
      case Message.Reported report -> reported(report);
      case Message.PastRead(var from, var run, var failure) -> {
        if (from == replayed) replayed.read(run, failure);
        yield work();
      }
      case Message.InboxPage(var from, var page) -> {
        // This page was requested by a previous owner. Its signals may be consumed already, so it
        // is ignored.
        if (from != this) yield Next.nothing();
        boolean found = inbox.page(page);
        boolean leaves = !inbox.isReading() && !found && departure.hasLooked();
        yield leaves && !code.isAwaited() && pending.isEmpty() ? departure.leave() : work();
      }
      case Message.Stored(var signal) -> {
        if (signal.isPresent()) chronicle.rows().wasDue();
        signals.stored(signal, inbox);
        yield work();
      }
      case Message.ProgramRead m -> programRead();
      case Message.GoOn m -> goOn();
      case Message.Queued m -> {
        pending.add(m);
        yield work();
      }
    };
  }

  /** When it does not come to the message, the next owner does. */
  private Next<JournalEntry> beginKeeping(Message message) {
    Next<JournalEntry> next = null;
    try {
      return next = takeUp.begin(failure);
    } finally {
      if (!(next instanceof Next.Nothing) && message instanceof Message.Queued m) pending.add(m);
    }
  }

  /** Of the code, or of the replay that answers queries, unless it was given up. */
  private Next<JournalEntry> reported(Message.Reported report) {
    if (code.is(report.program())) {
      Next<JournalEntry> next = reports.on(report);
      return next instanceof Next.Nothing ? work() : next;
    }
    if (!replayed.is(report.program())) return Next.nothing();
    replayed.on(report);
    return work();
  }

  @Override
  public Next<JournalEntry> goOn() {
    code.wasRead();
    return work();
  }

  /** For a start, which is pending; or for a workflow that was blocked without it. */
  private Next<JournalEntry> programRead() {
    code.wasRead();
    if (takeUp.waitsForCode() && code.allIsHere(state()))
      return new Next.Restart<>("The program that it waited for was read.");
    return work();
  }

  /** Takes up what waits, until something has to be committed or waited for. */
  private Next<JournalEntry> work() {
    while (!code.isAwaited() && !pending.isEmpty()) {
      if (!code.leavesTheTurn()) return Next.nothing();
      Message.Queued message = pending.poll();
      Next<JournalEntry> next = FailureAnswer.orTell(message.sender(), () -> take(message));
      if (!(next instanceof Next.Nothing)) return next;
    }
    if (!code.isAwaited()) decisions.quiet(List.of());
    return Next.nothing();
  }

  private Next<JournalEntry> take(Message.Queued message) {
    if (assumedFresh && !state().exists() && !suitsTheNew(message)) {
      pending.addFirst(message);
      return new Next.Restart<>("It was taken for new, and is asked for something.");
    }
    return switch (message) {
      case Message.Tell tell -> tell(tell);
      case Message.Own(Command command) -> decisions.on(command, Optional.empty());
      case Message.Collect c -> collect();
      case Message.Signalled(var signal) -> signalled(signal);
      case Message.Due due -> {
        inbox.lookForDue();
        yield decisions.on(new Command.Due(), Optional.empty());
      }
      case Message.Query query -> query(query);
      case Message.Describe(var asker) -> {
        askers.describe(asker, state(), chronicle.version(), host.versions::whereabouts);
        yield Next.nothing();
      }
      case Message.AwaitEnd(var runId, var asker) -> {
        askers.awaitEnd(runId, asker, state());
        yield Next.nothing();
      }
      case Message.AwaitUpdate(String updateId, var asker) -> {
        askers.awaitUpdate(updateId, asker, state());
        yield Next.nothing();
      }
      case Message.WakeUp w -> wakeUp();
      case Message.Idle idle -> departure.idle(decisions.isWanted() || replayed.isAtWork());
    };
  }

  private Next<JournalEntry> tell(Message.Tell tell) {
    if (takeUp.mustRead(tell)) {
      pending.addFirst(tell);
      code.awaitProgram();
      return Next.nothing();
    }
    if (takeUp.mustBeginFor(tell)) {
      pending.beginWith(tell);
      return new Next.Restart<>("The code begins again, as it is to go on.");
    }
    Next<JournalEntry> next = decisions.on(tell.command(), Optional.of(tell.replyTo()));
    code.programs().forget();
    return next;
  }

  private static boolean suitsTheNew(Message message) {
    return message instanceof Message.Idle
        || message instanceof Message.Signalled
        || message instanceof Message.Tell(Command command, var asker)
            && command instanceof Command.StartWorkflow;
  }

  private Next<JournalEntry> collect() {
    List<Command> all = results.take();
    return all.isEmpty()
        ? Next.nothing()
        : decisions.on(IncomingResults.together(all), Optional.empty());
  }

  private Next<JournalEntry> signalled(IncomingSignal incoming) {
    return signals
        .take(incoming, state(), inbox.isReading())
        .map(taken -> decisions.on(taken, Optional.of(incoming)))
        .orElse(Next.nothing());
  }

  private Next<JournalEntry> query(Message.Query query) {
    if (!state().exists()) query.replyTo().tell(new Answer.Unknown());
    else if (!code.isHere()) replayed.ask(query, state());
    else if (!host.runaways.refuse(state().start().type(), query)) {
      CodeWork.Asking asking = new CodeWork.Asking(query.inquiry(), query.replyTo());
      code.query(asking).ifPresent(reply -> query.replyTo().tell(new Answer.Queried(reply)));
    }
    return Next.nothing();
  }

  private Next<JournalEntry> wakeUp() {
    if (!state().exists() || state().phase().isOver()) return Next.nothing();
    if (takeUp.waitsForCode() && !takeUp.mustReadAgain() && code.allIsHere(state()))
      return new Next.Restart<>("The code that it waited for is here.");
    chronicle.wasDue(host.suspects);
    inbox.look();
    return decisions.on(new Command.Due(), Optional.empty());
  }

  @Override
  public void cannotCommit(RuntimeException why) {
    decisions.cannotCommit(why);
  }

  @Override
  public void end(String why) {
    host.residents.remove(id, rest);
    // What it took for new may exist: an incident of its own start is not one of that.
    if (assumedFresh && !chronicle.hasStood()) pending.dropOwn();
    if (begun) decisions.passOn(results);
    Endings.eachOf(() -> endRun(why), () -> askers.dismiss(why));
  }

  private void endRun(String why) {
    Endings.eachOf(
        code::giveUp,
        () -> replayed.end(why),
        () -> aftermath.end(state()),
        () -> decisions.end(why));
  }
}
