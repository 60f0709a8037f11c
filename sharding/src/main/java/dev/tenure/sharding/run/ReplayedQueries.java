package dev.tenure.sharding.run;

import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.sharding.commit.StoredHistory;
import dev.tenure.sharding.host.Host;
import dev.tenure.sharding.message.Answer;
import dev.tenure.sharding.message.Message;
import dev.tenure.sharding.message.PastRun;
import dev.tenure.sharding.program.Inquiry;
import dev.tenure.sharding.program.ProgramDefinition;
import dev.tenure.sharding.program.ProgramRun;
import dev.tenure.sharding.program.ProgramSource.Finding;
import dev.tenure.sharding.program.Runaway;
import dev.tenure.sharding.program.StuckReason;
import dev.tenure.sharding.workflow.WorkflowError;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Fork;
import dev.tenure.workflow.kernel.Incident;
import dev.tenure.workflow.kernel.Replay;
import dev.tenure.workflow.kernel.Wish;
import dev.tenure.workflow.kernel.Wishes;
import dev.tenure.workflow.kernel.WorkflowState;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Answers queries to a workflow whose code is not in memory, because it has ended or an incident
 * holds it. A replay of its newest run answers them. The replay commits nothing and runs no step;
 * it is kept for further queries until the owner ends.
 */
final class ReplayedQueries {
  /** Queries that may wait for the replay of one workflow. */
  static final int WAITING_MAX = 100;

  /** The most bytes of a run's stored history; values that are kept apart do not count. */
  static final long HISTORY_BYTES_MAX = 64L * 1024 * 1024;

  /** How long one replay may take, with its reads of the store. */
  static final Duration REPLAY_MAX = Duration.ofSeconds(60);

  private final Host host;
  private final Owner.Self self;
  private final WorkflowId id;
  private final Residency residency;
  private final CodeReports reports;
  private final Deque<Message.Query> waiting = new ArrayDeque<>(0);

  private boolean isReading;
  private boolean hasPermit;
  private ProgramRun program;
  private PastRun run;

  /** The replay is where the history ends. */
  private boolean isReady;

  private Message.Query asking;

  ReplayedQueries(
      Host host, Owner.Self self, WorkflowId id, Residency residency, CodeReports reports) {
    this.host = host;
    this.self = self;
    this.id = id;
    this.residency = residency;
    this.reports = reports;
  }

  /** Whether a client waits for an answer. */
  boolean isAtWork() {
    return asking != null || !waiting.isEmpty();
  }

  boolean is(ProgramRun reporting) {
    return program != null && program == reporting;
  }

  void ask(Message.Query query, WorkflowState state) {
    Optional<String> refusal = refusal(state);
    if (refusal.isPresent()) query.replyTo().tell(new Answer.NotNow(refusal.get()));
    else if (waiting.size() >= WAITING_MAX) query.replyTo().tell(new Answer.Busy(WAITING_MAX));
    else {
      waiting.add(query);
      if (isReady) next();
      else if (program == null && !isReading) begin();
    }
  }

  private Optional<String> refusal(WorkflowState state) {
    Optional<Incident> poison = state.incident().filter(ReplayedQueries::isPoison);
    if (poison.isPresent()) return Optional.of(notRun(poison.get()));
    if (host.runaways.isReplaying(id))
      return Optional.of(
          "A replay of its code did not come back before, and still runs on a thread of this"
              + " node.");
    return find(state) instanceof Finding.Missing
        ? Optional.of("The node that owns it does not have the code of " + state.start().type())
        : Optional.empty();
  }

  private Finding find(WorkflowState state) {
    return host.programs.find(state.start().kind(), state.start().type());
  }

  private static boolean isPoison(Incident incident) {
    return incident instanceof Incident.Other other && other.kind().equals(RunTakeUp.POISON);
  }

  private static String notRun(Incident poison) {
    return "Its code takes nodes down and is not run: " + poison.message();
  }

  private void begin() {
    hasPermit = host.replays.tryAcquire();
    if (!hasPermit) {
      fail(new Answer.Again(Host.REPLAYS_MAX + " replays for queries are under way on its node"));
      return;
    }
    isReading = true;
    host.reading(this::read)
        .whenComplete(
            (read, failure) ->
                self.tell(
                    new Message.PastRead(
                        this, Optional.ofNullable(read), Optional.ofNullable(failure))));
  }

  /** Blocks. */
  private PastRun read() {
    Past past = new Past();
    StoredHistory.read(host, id, past::requireSmall, past::add);
    return new PastRun(past.state, past.history, past.poison, program(past.state));
  }

  /** What is read of the newest run. */
  private final class Past {
    private WorkflowState state = WorkflowState.none();
    private final Replay history = new Replay();
    private Optional<Incident> poison = Optional.empty();
    private long bytes;

    void requireSmall(JournalRow next) {
      bytes += next.payload().length;
      if (bytes > HISTORY_BYTES_MAX)
        throw new WorkflowError.OverLimit(
            id, "HISTORY_BYTES_MAX", bytes, HISTORY_BYTES_MAX, "Its history can be read instead.");
    }

    void add(JournalEntry entry) {
      for (Event event : state.exists() ? entry.events() : entry.newestRun()) {
        state = host.kernel.evolve(state, event);
        history.add(event);
        poison = ReplayedQueries.poison(poison, event);
      }
    }
  }

  private Optional<Finding> program(WorkflowState state) {
    return state.exists()
        ? Optional.of(host.programs.read(state.start().kind(), state.start().type()))
        : Optional.empty();
  }

  private static Optional<Incident> poison(Optional<Incident> before, Event event) {
    if (event instanceof Event.IncidentRaised raised)
      return Optional.of(raised.incident()).filter(ReplayedQueries::isPoison);
    boolean mayRunAgain =
        event instanceof Event.IncidentResolved
            || event instanceof Event.Repinned
            || Fork.followsRun(event);
    return mayRunAgain ? Optional.empty() : before;
  }

  void read(Optional<PastRun> read, Optional<Throwable> failure) {
    isReading = false;
    if (failure.isPresent()) {
      Throwable why = failure.get();
      boolean passes =
          why instanceof StorageException || why.getCause() instanceof StorageException;
      fail(passes ? new Answer.Again(why.toString()) : new Answer.NotNow(message(why)));
      return;
    }
    run = read.orElseThrow();
    if (run.poison().isPresent()) {
      fail(new Answer.NotNow(notRun(run.poison().get())));
      return;
    }
    if (!(run.program().orElse(null)
        instanceof Finding.Found(var type, ProgramDefinition definition))) {
      fail(new Answer.Again("The workflow has changed meanwhile."));
      return;
    }
    program = definition.begin(id, run.state().start().type(), reports);
    residency.watch(program, REPLAY_MAX);
    program.replay(run.history().news(run.state()), run.history()).ifPresent(this::advanced);
  }

  private static String message(Throwable why) {
    Throwable cause = why.getCause() == null ? why : why.getCause();
    return String.valueOf(cause.getMessage());
  }

  void on(Message.Reported report) {
    switch (report) {
      case Message.Advanced(var from, Wishes wishes) -> advanced(wishes);
      case Message.Ahead ahead -> {} // A replay runs no step.
      case Message.Queried(var from, var reply) -> answer(new Answer.Queried(reply));
      case Message.Broken(var from, Throwable why) -> broken(why);
      case Message.Overdue(var from, long since) -> overdue(since);
    }
  }

  /** The replay is over. */
  private void advanced(Wishes wishes) {
    if (asking != null) {
      // A query that only reads cannot end in this way. If a defect makes it so, the client is
      // told.
      answer(new Answer.NotNow("The query came to no answer."));
      return;
    }
    Optional<String> drift = drift(wishes);
    if (drift.isPresent()) {
      fail(new Answer.NotNow("Its code does not fit its history: " + drift.get()));
      return;
    }
    isReady = true;
    run = null;
    release();
    residency.watch(program);
    next();
  }

  private Optional<String> drift(Wishes wishes) {
    if (program.comparison() instanceof Replay.Comparison.Drifted(Incident.Drift drift))
      return Optional.of(drift.message());
    Optional<Outcome> recorded = run.state().outcome();
    if (recorded.isEmpty()) return Optional.empty();
    boolean own =
        recorded.get() instanceof Outcome.Succeeded || recorded.get() instanceof Outcome.Failed;
    for (Wish wish : wishes.wishes())
      if (wish instanceof Wish.End(Outcome end) && end.getClass() == recorded.get().getClass())
        return Optional.empty();
    return own
        ? Optional.of("it ended as " + run.state().status() + ", and the code ends in another way.")
        : Optional.empty();
  }

  private void next() {
    while (asking == null && !waiting.isEmpty()) {
      Message.Query query = waiting.poll();
      if (host.runaways.refuse(program.type(), query)) continue;
      asking = query;
      Optional<Inquiry.Reply> reply = program.query(query.inquiry());
      if (reply.isEmpty()) continue;
      asking = null;
      query.replyTo().tell(new Answer.Queried(reply.get()));
    }
  }

  private void answer(Answer answer) {
    Message.Query answered = asking;
    asking = null;
    if (answered != null) answered.replyTo().tell(answer);
    next();
  }

  private void broken(Throwable why) {
    fail(
        why instanceof StorageException
            ? new Answer.Again(why.toString())
            : new Answer.NotNow("Its code could not be replayed: " + why));
  }

  private void overdue(long since) {
    Optional<StuckReason> stuckReason = program.stuckReason(since);
    if (!(stuckReason.orElse(null) instanceof StuckReason.InCode(Runaway runaway, String where)))
      return;
    String why =
        "it ran for more than %s, %s"
            .formatted(isReady ? host.settings.codeLimit() : "it may in a replay", where);
    if (program.giveUpReadOnlyCall(why)) {
      if (asking != null) host.runaways.add(program.type(), asking.inquiry().name(), runaway);
    } else {
      host.runaways.addReplay(id, runaway);
      fail(new Answer.NotNow("The replay of its code did not come back: " + why));
    }
    runaway.abandon();
  }

  /** The owner ends. */
  void end(String why) {
    fail(new Answer.Again(why));
  }

  private void fail(Answer answer) {
    if (program != null) {
      program.destroy();
      residency.watchNothing();
    }
    program = null;
    run = null;
    isReady = false;
    release();
    if (asking != null) asking.replyTo().tell(answer);
    asking = null;
    for (Message.Query one : waiting) one.replyTo().tell(answer);
    waiting.clear();
  }

  private void release() {
    if (hasPermit) host.replays.release();
    hasPermit = false;
  }
}
