package dev.tenure.sharding.run;

import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.persistence.entry.Snapshot;
import dev.tenure.sharding.commit.HistoryWriter;
import dev.tenure.sharding.effect.EffectRunner;
import dev.tenure.sharding.effect.PendingReplies;
import dev.tenure.sharding.host.Host;
import dev.tenure.sharding.host.Watched;
import dev.tenure.sharding.mailbox.Inbox;
import dev.tenure.sharding.mailbox.IncomingResults;
import dev.tenure.sharding.mailbox.PendingMessages;
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
 * Decides for one run of a workflow, on the node that holds its shard. It takes up one message at a
 * time: asks the kernel whether it is news, lets the code go on with it, has the kernel decide, and
 * hands out one commit. Effects and replies follow when the commit stands, and not before (I7).
 *
 * <p>It folds the events of a commit before the commit stands. If the commit does not stand, this
 * object is thrown away, and the next owner reads the history. When a run continues as new, the
 * next owner goes on with the history in memory and with the clients that wait for answers.
 */
public final class Owner implements Decider<Message, JournalEntry, Snapshot> {
  /** The actor that runs the owner, as the owner sees it. */
  public interface Self extends Watched {
    /** Sends the owner a message. Called on any thread. */
    void tell(Message message);

    /**
     * The history that was read is not in memory any more, or it is not known for how long it will
     * be. May be called more than once.
     */
    void historyIsDone();
  }

  private final OwnerContext context;
  private final Host host;
  private final Self self;
  private final WorkflowId id;
  private final boolean assumedFresh;
  private final PendingMessages pending;
  private final HistoryWriter history;
  private final SignalTaking signals;
  private final PendingReplies replies;
  private final Residency residency;
  private final IncomingResults results;
  private final EffectRunner effects;
  private final Inbox inbox;
  private final CodeRun code;
  private final Decisions decisions;
  private final RunTakeUp takeUp;
  private final ReportHandler reports;
  private final Departure departure;
  private final ReplayedQueries replayed;

  /** Why the workflow must stand still; set when several owners in a row failed. */
  private final Optional<String> failure;

  private boolean begun;

  /** The inbox is to be read as soon as this owner begins: before that it takes up no page. */
  private boolean looksFirst;

  /** The owner of a workflow that this node takes up. */
  public Owner(
      Host host,
      Self self,
      WorkflowId id,
      Fence fence,
      boolean assumedFresh,
      PendingMessages pending,
      Optional<String> failure) {
    this(OwnerContext.of(host, self, id, fence, pending), assumedFresh, failure);
    host.residents.add(id, residency);
  }

  /** The owner of the next run. It shares with the owner before only what outlives a run. */
  private Owner(Owner before) {
    this(before.context, false, Optional.empty());
    // The page that the owner before has asked for will be ignored, so the inbox is read again.
    this.looksFirst = before.inbox.isReading();
  }

  private Owner(OwnerContext context, boolean assumedFresh, Optional<String> failure) {
    this.context = context;
    this.host = context.host();
    this.self = context.self();
    this.id = context.id();
    this.pending = context.pending();
    this.replies = context.replies();
    this.signals = context.signals();
    this.history = context.history();
    this.residency = context.residency();
    this.assumedFresh = assumedFresh;
    this.failure = failure;
    this.results = new IncomingResults(host.limits, () -> self.tell(Message.Collect.COLLECT));
    this.inbox = inbox();
    this.effects = new EffectRunner(host, id, context.fence(), replies, inbox, results);
    CodeReports toOwner = new CodeReports(self, results);
    this.code = new CodeRun(host, id, residency, toOwner);
    this.replayed = new ReplayedQueries(host, self, id, residency, toOwner);
    this.decisions = new Decisions(host, id, pending, history, code, replies, effects, residency);
    this.takeUp =
        new RunTakeUp(host, self, id, context.fence(), pending, history, results, code, residency);
    CodeFailures failures = new CodeFailures(host, pending, history, code, decisions);
    this.reports = new ReportHandler(code, decisions, failures, takeUp);
    this.departure = new Departure(host, history, residency, effects, inbox, code, decisions);
  }

  private Inbox inbox() {
    return new Inbox(
        context.seen(),
        results,
        host.clock,
        after -> host.inboxes.read(id, after, page -> self.tell(new Message.InboxPage(this, page))),
        this::state);
  }

  private WorkflowState state() {
    return history.state();
  }

  @Override
  public void recover(JournalEntry entry) {
    history.recover(entry);
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
    residency.moves();
    departure.comes(message);
    if (message instanceof Message.ProgramRead read && !code.programs().read(read))
      return Next.nothing();
    // Added before anything can fail: if this owner does not get to it, the next one does.
    if (message instanceof Message.Queued m) pending.add(m);
    if (message instanceof Message.Stored(var signal)) {
      pending.stored();
      if (signal.isPresent()) history.rows().wasDue();
    }
    if (!begun) {
      looksFirst |= message instanceof Message.Stored(var signal) && signal.isPresent();
      if (takeUp.mustWait()) {
        // What it waits for may be another history.
        self.historyIsDone();
        return Next.nothing();
      }
      begun = true;
      host.starts.begun(id);
      Next<JournalEntry> next = takeUp.begin(failure);
      if (!(next instanceof Next.Nothing)) return next;
      if (looksFirst) inbox.look();
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
        signal.ifPresent(inbox::stored);
        yield work();
      }
      case Message.ProgramRead m -> programRead();
      case Message.GoOn m -> goOn();
      case Message.Queued m -> work();
    };
  }

  /**
   * Reports come from the code or from the replay that answers queries. Those of code that was
   * given up are ignored.
   */
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

  /**
   * The program was read for a start, which is pending, or for a workflow that was blocked without
   * it.
   */
  private Next<JournalEntry> programRead() {
    code.wasRead();
    if (takeUp.waitsForCode() && code.allIsHere(state()))
      return new Next.Restart<>("The program that it waited for was read.");
    return work();
  }

  /** Takes up waiting messages, until the owner has to commit something or to wait for the code. */
  private Next<JournalEntry> work() {
    if (!code.isReplaying()) self.historyIsDone();
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
      return new Next.Restart<>("The workflow was taken for new, and a message needs its history.");
    }
    return switch (message) {
      case Message.Tell tell -> tell(tell);
      case Message.Own(Command command) -> decisions.on(command, Optional.empty());
      case Message.Collect c -> collect();
      case Message.Signalled(var signal) -> signalled(signal);
      case Message.Due due -> {
        residency.takesUpDue(host.clock.millis());
        inbox.lookForDue();
        yield decisions.on(new Command.Due(), Optional.empty());
      }
      case Message.Query query -> query(query);
      case Message.Describe describe -> {
        replies.describe(describe, state(), history.version(), host.versions::whereabouts);
        yield Next.nothing();
      }
      case Message.AwaitEnd(var runId, var replyTo) -> {
        replies.awaitEnd(runId, replyTo, state());
        yield Next.nothing();
      }
      case Message.AwaitUpdate(String updateId, var replyTo) -> {
        replies.awaitUpdate(updateId, replyTo, state());
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
        || message instanceof Message.Tell(Command command, var replyTo)
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
    history.wasDue(host.suspects);
    inbox.look();
    effects.look(state());
    return decisions.on(new Command.Due(), Optional.empty());
  }

  @Override
  public void cannotCommit(RuntimeException why) {
    decisions.cannotCommit(why);
  }

  @Override
  public void end(String why) {
    self.historyIsDone();
    host.residents.remove(id, residency);
    host.starts.begun(id);
    // The workflow that this owner took for new may exist. An incident of the start that it tried
    // must not be raised for that one.
    if (assumedFresh && !history.hasStood()) pending.dropOwn();
    if (begun) decisions.passOn(results);
    Endings.eachOf(() -> endRun(why), () -> replies.dismiss(why));
  }

  private void endRun(String why) {
    Endings.eachOf(
        code::giveUp,
        () -> replayed.end(why),
        () -> effects.end(state()),
        () -> decisions.end(why));
  }
}
