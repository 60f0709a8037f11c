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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where the strands of one run take turns. Exactly one thread has the baton at a time: the strand
 * that runs, or whoever brings news while all sleep. A strand that has to wait hands the baton to
 * the next one that can go on; when there is none the next news are applied; when there are none
 * left, all is quiet and the wishes that came together go to the owner. So the order in which
 * things happen follows from the news alone, however many arrive at once.
 */
public final class BranchScheduler {
  /** Runs the workflow's own method; made anew for each run. */
  public interface WorkflowEntryPoints {
    void begin(BranchScheduler stage, News.Started started);

    void update(News.UpdateArrived update);

    /** Takes the thread out of the code when this is a bug of it. */
    void stopAtBug(Throwable thrown);
  }

  /** Stands where a recorded value stood that the code has got. */
  private static final Outcome FOUND = new Outcome.TimedOut("found");

  private final BranchHost program;
  public final WorkflowEntryPoints play;
  public final UpdateHandlers handlers;
  final Deque<News> news = new ArrayDeque<>();
  private final Deque<WorkflowThread> ready = new ArrayDeque<>();
  private final List<WorkflowThread> watching = new ArrayList<>(0);
  private final Map<OperationId, PendingOperation<?>> open = new HashMap<>(8);
  private final Map<OperationId, Outcome> early = new HashMap<>(0);

  /** Children that exist, and that code which was changed has not asked for yet. */
  private final Set<OperationId> begun = new HashSet<>(0);

  private final Set<WorkflowThread> threads = ConcurrentHashMap.newKeySet(2);
  private List<Wish> wishes = new ArrayList<>(2);

  /** In a replay, all that was recorded, so that values are found when they are asked for. */
  private Map<OperationId, Outcome> recorded = Map.of();

  /** In a replay, what is on record as asked for, and the code has not come to yet. */
  private Set<OperationId> notAskedYet = Set.of();

  /** The strand of the workflow's own method. */
  private WorkflowThread main;

  /** What the next run begins with, once the code has said that it continues as new. */
  private Payload next;

  private final Scope root = Scope.root(this);
  private volatile WorkflowThread running;
  private volatile boolean destroyed;
  private boolean changed;
  public final CodeChanges changes = new CodeChanges(this);
  public final RunLength length = new RunLength();
  final SignalsHeld signals = new SignalsHeld(this);
  private boolean over;
  private boolean cancelRequested;
  private volatile boolean replaying;
  private long orders;
  private Start start;
  private Instant startedAt;
  private Instant at;

  public BranchScheduler(BranchHost program, WorkflowEntryPoints play) {
    this.program = program;
    this.play = play;
    this.handlers = new UpdateHandlers(this, play);
  }

  // --- from outside, while all is quiet

  /** Begins to work the news off; {@link BranchHost#quiet} is called when that is done. */
  public void bring(List<News> arrived, Optional<Set<OperationId>> onRecord) {
    replaying = onRecord.isPresent();
    if (replaying) {
      notAskedYet = new HashSet<>(onRecord.get());
      recorded = new HashMap<>();
      for (News one : arrived)
        if (one instanceof News.Completed c) recorded.put(c.operation(), c.outcome());
    }
    news.addAll(arrived);
    hand(next());
  }

  /** As {@link #bring}, for one step's result, by the strand that ran it; true when it goes on. */
  public boolean bringOwn(WorkflowThread me, News.Completed result) {
    news.add(result);
    WorkflowThread next = next();
    if (next == me) {
      running = me;
      program.work().runs();
      return true;
    }
    hand(next);
    return false;
  }

  /** Runs something on a strand of its own that changes nothing. */
  public void look(ReadOnlyCall looking, Runnable question) {
    WorkflowThread strand =
        new WorkflowThread(
            this, new OperationIdSequence("tenure.query"), root.shielded(), question);
    strand.looking = looking;
    running = strand;
    strand.resume();
  }

  /** Whether the code that has the baton only looks. */
  boolean isLooking() {
    WorkflowThread strand = running;
    return strand != null && strand.looking != null;
  }

  public Wishes takeWishes() {
    List<Wish> taken = wishes;
    if (taken.isEmpty()) return Wishes.NONE;
    wishes = new ArrayList<>(2);
    return new Wishes(taken);
  }

  public PendingOperation<?> pending(OperationId id) {
    return open.get(id);
  }

  /** The workflow's time: that of its newest news. */
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

  // --- by whoever has the baton

  /** The strand whose code calls; nobody else may. */
  public WorkflowThread me() {
    if (destroyed) throw new WorkflowThreadStopped();
    WorkflowThread strand = running;
    if (next != null && !isLooking()) throw new ContinueAsNewUnwind();
    if (strand == null || strand.thread() != Thread.currentThread())
      throw new WrongThreadException(
          "The workflow's context was used by thread \"%s\", which does not run the workflow's code now. Use async for concurrent parts, and nothing of the context inside a step."
              .formatted(Thread.currentThread().getName()));
    return strand;
  }

  /** As {@link #me}, for what changes something. */
  public WorkflowThread actor() {
    WorkflowThread strand = me();
    if (strand.looking != null)
      throw new ReadOnlyContextException(
          "A query or a validator only looks: it cannot wait, start, send, record or cancel"
              + " anything.");
    return strand;
  }

  private WorkflowThread next() {
    for (; ; ) {
      WorkflowThread strand = ready.poll();
      if (strand != null) {
        strand.unmarkReady();
        return strand;
      }
      if (changed && !watching.isEmpty()) {
        changed = false;
        List<WorkflowThread> asked = List.copyOf(watching);
        watching.clear();
        asked.forEach(this::ready);
        continue;
      }
      News one = over ? null : news.poll();
      if (one == null) return null;
      program.work().news();
      // An update counts when its validator has accepted it.
      if (!(one instanceof News.UpdateArrived)) changed = true;
      apply(one);
    }
  }

  private void apply(News one) {
    if (!(one instanceof News.UpdateArrived)) at = one.at();
    switch (one) {
      case News.Started started -> {
        start = started.start();
        startedAt = started.at();
        play.begin(this, started);
      }
      case News.Completed completed -> {
        PendingOperation<?> pending = open.remove(completed.operation());
        signals.arrived(completed);
        if (pending != null) pending.complete(completed.outcome());
        // Its wait was given up when the signal was on its way.
        else if (completed.signal().isPresent() && !notAskedYet.contains(completed.operation()))
          signals.giveBack(completed.operation());
        // A value was found when it was asked for. What nobody asked for yet is kept.
        else if (recorded.get(completed.operation()) != FOUND)
          early.put(completed.operation(), completed.outcome());
      }
      case News.ChildStarted child -> {
        PendingOperation<?> pending = open.get(child.operation());
        if (pending != null) pending.begun();
        else begun.add(child.operation());
      }
      case News.CancelRequested cancel -> {
        cancelRequested = true;
        root.cancelAll(cancel.reason());
      }
      case News.UpdateArrived update -> handlers.arrived(update);
    }
  }

  private void hand(WorkflowThread next) {
    running = next;
    program.work().handsTo(next);
    if (next != null) next.resume();
    else program.quiet();
  }

  /** The strand waits: the baton goes on, and comes back when it can go on. */
  void rest(WorkflowThread me) {
    if (destroyed) throw new WorkflowThreadStopped();
    // From here on it may be the one that goes on.
    running = null;
    WorkflowThread next = next();
    running = next;
    if (next == me) return;
    hand(next);
    me.sleep();
  }

  /** The strand is done, or is given up. */
  public void end() {
    if (destroyed) return;
    hand(next());
  }

  /** The run is over: operations that are still open are given up. */
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

  /** What runs looks again before it rests, and may come to its end without resting. */
  void ready(WorkflowThread strand) {
    if (strand != running && strand.markReady()) ready.add(strand);
  }

  void watch(WorkflowThread strand) {
    watching.add(strand);
  }

  void watchesNoMore(WorkflowThread strand) {
    watching.remove(strand);
  }

  /** Something happened that conditions may depend on. */
  public void changed() {
    changed = true;
  }

  public void wish(Wish wish) {
    if (over) return;
    wishes.add(wish);
    length.asked(wish);
    if (replaying && wish instanceof Wish.Schedule asked) notAskedYet.remove(asked.operation());
  }

  public void begin(WorkflowThread strand) {
    main = strand;
    ready(strand);
  }

  /** The workflow's own method goes no further: throw what this returns. */
  public ContinueAsNewUnwind renew(WorkflowThread me, Payload input) {
    RunEnd.beforeNext(me, main);
    next = input;
    return new ContinueAsNewUnwind();
  }

  /** In a replay: whether nothing is on record after this point. */
  boolean nothingFollows() {
    if (!notAskedYet.isEmpty()) return false;
    for (News one : news)
      if (!(one instanceof News.Completed c && recorded.get(c.operation()) == FOUND)) return false;
    return true;
  }

  /** Asks for the operation; in a replay its outcome may be known already. */
  public void schedule(PendingOperation<?> pending, OperationSpec spec) {
    wish(new Wish.Schedule(pending.id, spec));
    if (begun.remove(pending.id)) pending.begun();
    Outcome known = early.isEmpty() ? null : early.remove(pending.id);
    if (known != null) pending.complete(known);
    else open.put(pending.id, pending);
  }

  void abandon(Wish.Abandon abandonment) {
    open.remove(abandonment.operation());
    wish(abandonment);
  }

  /** What was recorded for a value in an earlier run, null when nothing was. */
  public Outcome recordedValue(OperationId id) {
    return replaying ? recorded.replace(id, FOUND) : null;
  }

  // --- what the code may know

  public Scope root() {
    return root;
  }

  public boolean isCancelRequested() {
    return cancelRequested;
  }

  public boolean isReplaying() {
    return replaying;
  }

  /** The replay is over: what comes now is new. */
  public void live() {
    replaying = false;
    recorded = Map.of();
    notAskedYet = Set.of();
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
