package dev.tenure.sharding.branch;

import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.ReadOnlyContextException;
import dev.tenure.workflow.WrongThreadException;
import dev.tenure.workflow.kernel.News;
import dev.tenure.workflow.kernel.Start;
import dev.tenure.workflow.kernel.Wish;
import dev.tenure.workflow.kernel.Wishes;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Schedules the branches of one run. Only one thread runs at a time: that of one branch, or, while
 * all branches wait, the thread that delivers news. When a branch has to wait, the next one that
 * can go on runs. When none can go on, the scheduler applies the next news. When no news are left,
 * the run is quiet and its wishes go to the owner. So the order of all that happens follows from
 * the order of the news alone, however many arrive at once.
 */
public final class BranchScheduler {
  /** What the scheduler calls for a start and for an update; made anew for each run. */
  public interface WorkflowEntryPoints {
    void begin(BranchScheduler scheduler, News.Started started);

    void update(News.UpdateArrived update);

    /** Throws when this is a bug of the code: the calling thread leaves the code. */
    void stopAtBug(Throwable thrown);
  }

  private final BranchHost program;
  public final WorkflowEntryPoints entryPoints;
  public final UpdateHandlers handlers;
  final Deque<News> news = new ArrayDeque<>();
  private final Deque<WorkflowThread> ready = new ArrayDeque<>();
  private final List<WorkflowThread> watching = new ArrayList<>(0);
  private final PendingOperations operations = new PendingOperations();
  private final Set<WorkflowThread> threads = ConcurrentHashMap.newKeySet(2);
  private List<Wish> wishes = new ArrayList<>(2);

  /** {@link ReplayRecord#NONE} when the code is not replayed. */
  private volatile ReplayRecord record = ReplayRecord.NONE;

  /** The thread of the workflow's own method. */
  private WorkflowThread main;

  /** The input of the next run, once the code has continued as new. */
  private Payload next;

  private final Scope root = Scope.root(this);
  private volatile WorkflowThread running;
  private volatile boolean destroyed;
  private boolean conditionsDirty;
  public final CodeChanges decidedChanges = new CodeChanges(this);
  public final RunLength length = new RunLength();
  final SignalsHeld signals = new SignalsHeld(this);
  private boolean over;
  private boolean cancelRequested;
  private long orders;
  private Start start;
  private Instant startedAt;
  private Instant at;

  public BranchScheduler(BranchHost program, WorkflowEntryPoints entryPoints) {
    this.program = program;
    this.entryPoints = entryPoints;
    this.handlers = new UpdateHandlers(this, entryPoints);
  }

  // --- called by the program, while no branch runs

  /**
   * Hands the news to the code, one after the other. {@link BranchHost#quiet} is called when none
   * is left.
   */
  public void deliver(List<News> arrived, Optional<Set<OperationId>> onRecord) {
    record = onRecord.isPresent() ? ReplayRecord.of(arrived, onRecord.get()) : ReplayRecord.NONE;
    if (over) signals.giveBackAll(arrived);
    else news.addAll(arrived);
    resumeNext(next());
  }

  /**
   * As {@link #deliver}, for the result of one step, on the thread that ran the step. True when
   * that thread goes on with the workflow's code.
   */
  public boolean deliverOwn(WorkflowThread me, News.Completed result) {
    news.add(result);
    WorkflowThread next = next();
    if (next == me) {
      running = me;
      program.work().runs();
      return true;
    }
    resumeNext(next);
    return false;
  }

  /** Runs a query, or the validator of an update, on a thread of its own. */
  public void runQuery(ReadOnlyCall readOnly, Runnable question) {
    WorkflowThread thread =
        new WorkflowThread(
            this, new OperationIdSequence("tenure.query"), root.shielded(), question);
    thread.readOnly = readOnly;
    running = thread;
    thread.resume();
  }

  /** Whether the code that runs now is a query or a validator. */
  boolean runsReadOnly() {
    WorkflowThread thread = running;
    return thread != null && thread.readOnly != null;
  }

  public Wishes takeWishes() {
    List<Wish> taken = wishes;
    if (taken.isEmpty()) return Wishes.NONE;
    wishes = new ArrayList<>(2);
    return new Wishes(taken);
  }

  public PendingOperation<?> pending(OperationId id) {
    return operations.find(id);
  }

  /** The workflow's time: that of the newest news. */
  public Instant at() {
    return at;
  }

  /** An update moves the time when it is checked, and back when it is refused. */
  public void passTo(Instant time) {
    at = time;
  }

  boolean isOver() {
    return over;
  }

  /** Takes every thread out of the code, as soon as it touches the context again. */
  public void destroy() {
    destroyed = true;
    threads.forEach(WorkflowThread::unwind);
  }

  public boolean isDestroyed() {
    return destroyed;
  }

  public WorkflowThread running() {
    return running;
  }

  Collection<WorkflowThread> threads() {
    return threads;
  }

  // --- called by the thread that runs

  /** The thread that calls, when it is the one that runs now. Throws for every other thread. */
  public WorkflowThread me() {
    if (destroyed) throw new WorkflowThreadStopped();
    WorkflowThread thread = running;
    if (next != null && !runsReadOnly()) throw new ContinueAsNewUnwind();
    if (thread == null || thread.thread() != Thread.currentThread())
      throw new WrongThreadException(
          "The workflow's context was used by thread \"%s\", which does not run the workflow's code now. Use async for concurrent parts, and nothing of the context inside a step."
              .formatted(Thread.currentThread().getName()));
    return thread;
  }

  /** As {@link #me}, for calls that change something: queries and validators must not. */
  public WorkflowThread actor() {
    WorkflowThread thread = me();
    if (thread.readOnly != null)
      throw new ReadOnlyContextException(
          "A query or a validator only reads: it cannot wait, start, send, record or cancel"
              + " anything.");
    return thread;
  }

  private WorkflowThread next() {
    for (; ; ) {
      WorkflowThread thread = ready.poll();
      if (thread != null) {
        thread.unmarkReady();
        return thread;
      }
      if (conditionsDirty && !watching.isEmpty()) {
        conditionsDirty = false;
        List<WorkflowThread> asked = List.copyOf(watching);
        watching.clear();
        asked.forEach(this::ready);
        continue;
      }
      News one = over ? null : news.poll();
      if (one == null) return null;
      if (record.wasFound(one)) continue;
      program.work().news();
      // Conditions are asked again for an update only when its validator has accepted it.
      if (!(one instanceof News.UpdateArrived)) conditionsDirty = true;
      apply(one);
    }
  }

  private void apply(News one) {
    if (!(one instanceof News.UpdateArrived)) at = one.at();
    switch (one) {
      case News.Started started -> {
        start = started.start();
        startedAt = started.at();
        entryPoints.begin(this, started);
      }
      case News.Completed completed -> {
        OperationId id = completed.operation();
        signals.arrived(completed);
        if (operations.complete(id, completed.outcome())) return;
        // The code gave the wait up while the signal was on its way.
        if (completed.signal().isPresent() && !record.awaits(id)) signals.giveBack(id);
        // The code has not asked for it yet.
        else operations.keep(id, completed.outcome());
      }
      case News.ChildStarted child -> operations.childStarted(child.operation());
      case News.SignalNotReceived signal -> length.notReceived(signal);
      case News.CancelRequested cancel -> {
        cancelRequested = true;
        root.cancelAll(cancel.reason());
      }
      case News.UpdateArrived update -> handlers.arrived(update);
    }
  }

  private void resumeNext(WorkflowThread next) {
    running = next;
    program.work().handsTo(next);
    if (next != null) next.resume();
    else program.quiet();
  }

  /** The calling thread waits. Another one runs, until this one can go on. */
  void suspend(WorkflowThread me) {
    if (destroyed) throw new WorkflowThreadStopped();
    // next() may return this very thread.
    running = null;
    WorkflowThread next = next();
    running = next;
    if (next == me) return;
    resumeNext(next);
    me.sleep();
  }

  /** The thread that runs has ended, or is given up: the next one runs. */
  public void end() {
    if (destroyed) return;
    resumeNext(next());
  }

  /** The run has ended. Operations that are still open are given up. */
  void finish(Outcome outcome) {
    signals.giveBackAll(news);
    wishes.add(
        next == null
            ? new Wish.End(outcome)
            : new Wish.ContinueAsNew(next, Optional.of(program.newestVersion())));
    over = true;
    ready.clear();
    watching.clear();
    news.clear();
  }

  /**
   * Marks a thread as one that can go on. The one that runs now checks by itself before it waits.
   */
  void ready(WorkflowThread thread) {
    if (thread != running && thread.markReady()) ready.add(thread);
  }

  void watch(WorkflowThread thread) {
    watching.add(thread);
  }

  void watchesNoMore(WorkflowThread thread) {
    watching.remove(thread);
  }

  /** Conditions that the code waits for are asked again before the next news. */
  public void markConditionsDirty() {
    conditionsDirty = true;
  }

  public void wish(Wish wish) {
    if (over && !(wish instanceof Wish.GiveBack)) return;
    wishes.add(wish);
    length.asked(wish);
    if (isReplaying() && wish instanceof Wish.Schedule asked) record.asked(asked.operation());
  }

  public void begin(WorkflowThread thread) {
    main = thread;
    ready(thread);
  }

  /** The workflow's method has continued as new. The caller throws what this returns. */
  public ContinueAsNewUnwind renew(WorkflowThread me, Payload input) {
    RunEnd.beforeNext(me, main);
    next = input;
    return new ContinueAsNewUnwind();
  }

  /** In a replay: whether nothing is on record after this point. */
  boolean nothingFollows() {
    return record.endsHere(news);
  }

  /** Asks for the operation; in a replay its outcome may be known already. */
  public void schedule(PendingOperation<?> pending, OperationSpec spec) {
    wish(new Wish.Schedule(pending.id, spec));
    operations.add(pending);
  }

  void abandon(Wish.Abandon abandonment) {
    operations.remove(abandonment.operation());
    wish(abandonment);
  }

  /** In a replay: the recorded value of the operation; null when there is none. */
  public Outcome recordedValue(OperationId id) {
    return isReplaying() ? record.find(id) : null;
  }

  // --- what the code may know

  public Scope root() {
    return root;
  }

  public boolean isCancelRequested() {
    return cancelRequested;
  }

  public boolean isReplaying() {
    return record != ReplayRecord.NONE;
  }

  /** The replay has ended: news from here on are new. */
  public void live() {
    record = ReplayRecord.NONE;
  }

  public Start start() {
    return start;
  }

  public Instant startedAt() {
    return startedAt;
  }

  long nextOrder() {
    return orders++;
  }

  public PayloadCodec codec() {
    return program.codec();
  }

  public BranchHost program() {
    return program;
  }
}
