package dev.tenure.sharding.pool;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** One thread of a pool, with the task that it runs after its current one. */
final class PoolThread extends Thread {
  private final TaskPool pool;

  /** Set by this thread; taken by it, or by the watch when the task that it is in takes long. */
  private final AtomicReference<Task> next = new AtomicReference<>();

  /** What a caller does with an answer that the engine's task gives: the end of that task. */
  private final AtomicReference<Task> answer = new AtomicReference<>();

  /** How often it has begun or ended a task: odd while it is in one. */
  private final AtomicLong turns = new AtomicLong();

  private final AtomicBoolean idle = new AtomicBoolean();

  /** The current task takes long: other threads may run the tasks that it makes runnable. */
  private volatile boolean shares;

  private volatile boolean leaves;

  /** Of the task that it is in, or was in last. */
  private volatile TaskKind kind = TaskKind.ENGINE;

  // Read and written by this thread alone.
  private int chained;
  private int turnOfKinds;
  private boolean searching;

  // Read and written by the watch alone.
  private long turnSeen;
  private int looks;
  private long cpuNanos;
  private boolean held;

  /**
   * @param model gives its class loader and its handler of uncaught exceptions
   */
  PoolThread(TaskPool pool, Thread model, String name) {
    super(null, null, name, 0, false);
    this.pool = pool;
    setDaemon(true);
    setContextClassLoader(model.getContextClassLoader());
    setUncaughtExceptionHandler(model.getUncaughtExceptionHandler());
  }

  boolean isOf(TaskPool asked) {
    return pool == asked;
  }

  /** Runs it after the task that it is in; false when there is one already. For itself. */
  boolean offerNext(Task task) {
    return !shares && fill(next, task);
  }

  /** Runs it at the end of the engine's task that it is in; false when it cannot. For itself. */
  boolean offerAnswer(Task task) {
    return !shares && kind == TaskKind.ENGINE && fill(answer, task);
  }

  private static boolean fill(AtomicReference<Task> place, Task task) {
    if (place.get() != null) return false;
    place.lazySet(task);
    return true;
  }

  @Override
  public void run() {
    try {
      for (Task task = pool.take(this); task != null; task = pool.take(this)) run(task);
    } finally {
      pool.ended(this);
    }
  }

  private void run(Task task) {
    long turn = turns.get() + 1;
    turns.lazySet(turn);
    perform(task);
    Task given = taken(answer);
    if (given != null && !pool.mayBegin(given)) pool.enqueue(given);
    else if (given != null) perform(given);
    turns.lazySet(turn + 1);
    if (shares) shares = false;
  }

  private void perform(Task task) {
    if (kind != task.kind()) kind = task.kind();
    try {
      task.work().run();
    } catch (Throwable thrown) {
      report(thrown);
    } finally {
      if (isInterrupted()) Thread.interrupted();
      pool.ends(task.kind());
    }
  }

  /**
   * Reports an exception as if the thread had ended with it; the thread goes on with the next task.
   */
  private void report(Throwable thrown) {
    try {
      getUncaughtExceptionHandler().uncaughtException(this, thrown);
    } catch (Throwable also) {
      also.addSuppressed(thrown);
      TaskPool.log.error("What a task threw could not be reported.", also);
    }
  }

  /** The task that it was to run next, null when there is none. */
  Task takeNext() {
    return taken(next);
  }

  private static Task taken(AtomicReference<Task> place) {
    return place.get() == null ? null : place.getAndSet(null);
  }

  /** How many tasks it has run in a row that waited in no queue. */
  int chained() {
    return chained;
  }

  void chains() {
    chained++;
  }

  /**
   * @return a number that is one more each time: the kind of tasks whose turn it is
   */
  int endChain() {
    chained = 0;
    turnOfKinds = (turnOfKinds + 1) & 0xffff;
    return turnOfKinds;
  }

  /** Whether it was woken and has found nothing yet. */
  boolean isSearching() {
    return searching;
  }

  void searching(boolean now) {
    searching = now;
  }

  boolean isIdle() {
    return idle.get();
  }

  void beginIdle() {
    idle.set(true);
  }

  /** False when another thread did. */
  boolean endIdle() {
    return idle.compareAndSet(true, false);
  }

  /** Ends when it has no task. For any thread. */
  void leave() {
    leaves = true;
  }

  boolean leaves() {
    return leaves;
  }

  /** How many tasks it has begun. */
  long tasks() {
    return (turns.get() + 1) / 2;
  }

  // --- for the watch

  /** How many looks before this one found it in the task that it is in; -1 when it is in none. */
  int look() {
    long turn = turns.get();
    boolean same = turn == turnSeen;
    turnSeen = turn;
    if ((turn & 1) == 0) looks = -1;
    else looks = same ? looks + 1 : 0;
    held = held && looks > 0;
    return looks;
  }

  /** How much processor time it has had since this was called for the first look at its task. */
  long cpuNanos(long now) {
    if (looks == 1) cpuNanos = now;
    return now - cpuNanos;
  }

  void held() {
    held = true;
  }

  boolean isHeldBy(TaskKind asked) {
    return held && kind == asked;
  }

  /** Whether the task that it is in takes so long that another thread is needed. */
  boolean isHeld() {
    return held;
  }

  /** Whether it has begun or ended a task since the last look. For the look that follows. */
  boolean hasMoved() {
    return turns.get() != turnSeen;
  }

  /** Its task takes long: hands over what it was to run after it, now and until the task ends. */
  void share() {
    shares = true;
    if (taken(answer) instanceof Task given) pool.enqueue(given);
    if (takeNext() instanceof Task task) pool.enqueue(task);
  }
}
