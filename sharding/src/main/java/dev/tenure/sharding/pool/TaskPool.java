package dev.tenure.sharding.pool;

import java.util.Arrays;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks on as many threads as there are cores. What a task makes runnable is run next by the
 * same thread, which is about to be free; only what is more than one goes to a queue and wakes
 * another thread. To wake a thread costs more than most tasks do. The code that a caller runs with
 * an answer runs at the end of the engine's task that gives the answer: the actor's turn is over
 * then.
 *
 * <p><b>Fairness.</b> A thread runs at most {@link #CHAIN_MAX} tasks in a row that waited in no
 * queue. The queues of the three kinds take turns.
 *
 * <p><b>Tasks that take long.</b> {@link PoolWatch} gives the task that was to follow to another
 * thread, and starts a thread as a replacement. Code may hold as many threads as there are cores;
 * more code waits, so that the engine's tasks still find threads. Callers may hold {@link
 * #CALLERS_HELD_MAX}, because one caller may wait for the answer to another.
 *
 * <p><b>The end.</b> {@link #close} loses no task. Tasks that wait for a thread then, and tasks
 * that come later, run on a few threads of the process: virtual threads that still wait must be
 * able to end, also while code loops in all threads of the pool.
 */
public final class TaskPool implements AutoCloseable {
  static final Logger log = LoggerFactory.getLogger(TaskPool.class);

  /** Tasks in a row that waited in no queue, when others wait there. */
  static final int CHAIN_MAX = 32;

  /** Threads that callers may hold where they are answered. */
  static final int CALLERS_HELD_MAX = 256;

  /** Threads for what is handed to pools that are closed. */
  private static final int LATE_THREADS_MAX = 16;

  private static final Executor LATE = late();

  private final int parallelism;
  private final String name;
  private final Thread model;

  /** By the number of their kind. */
  private final TaskQueue[] queues;

  private final AtomicInteger idle = new AtomicInteger();

  /** Threads that were woken and have found nothing yet; while there is one no other is woken. */
  private final AtomicInteger searching = new AtomicInteger();

  private final PoolWatch watch;
  private volatile PoolThread[] threads = {};
  private volatile boolean closed;
  private int numbers;

  /** Of threads that have ended. */
  private long tasksBefore;

  /**
   * @param name of its threads, which a number follows
   * @param factory makes a model thread: this pool's threads get its class loader and its handler
   *     of uncaught exceptions
   */
  public TaskPool(int parallelism, String name, ThreadFactory factory) {
    this.parallelism = parallelism;
    this.name = name;
    this.model = factory.newThread(() -> {});
    TaskKind[] kinds = TaskKind.values();
    this.queues = new TaskQueue[kinds.length];
    for (TaskKind kind : kinds)
      queues[kind.ordinal()] =
          new TaskQueue(kind == TaskKind.ENGINE ? TaskQueue.UNLIMITED : parallelism);
    this.watch = new PoolWatch(this);
    for (int i = 0; i < parallelism; i++) addThread();
    watch.start(name + "-watch");
  }

  private static Executor late() {
    ThreadPoolExecutor late =
        new ThreadPoolExecutor(
            LATE_THREADS_MAX,
            LATE_THREADS_MAX,
            1,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().daemon().name("tenure-late-", 0).factory());
    late.allowCoreThreadTimeOut(true);
    return late;
  }

  /** Runs tasks of this kind. */
  public Executor executor(TaskKind kind) {
    return work -> execute(kind, work);
  }

  /** Runs it; on a thread of the pool, after the task that this thread is in. */
  void execute(TaskKind kind, Runnable work) {
    Task task = new Task(kind, work);
    PoolThread mine = JdkInternals.currentPoolThread();
    if (mine == null || !mine.isOf(this) || !offer(mine, task)) enqueue(task);
  }

  private static boolean offer(PoolThread mine, Task task) {
    return task.kind() == TaskKind.ANSWER && mine.offerAnswer(task) || mine.offerNext(task);
  }

  /** For any thread. */
  void enqueue(Task task) {
    queueOf(task.kind()).add(task);
    // The threads may have ended before it was there.
    if (closed) runLate();
    else wake();
  }

  private TaskQueue queueOf(TaskKind kind) {
    return queues[kind.ordinal()];
  }

  private void runLate() {
    for (TaskQueue queue : queues)
      for (Task task = queue.remove(); task != null; task = queue.remove())
        LATE.execute(task.work());
  }

  /** Wakes a thread, unless one is awake that looks for a task. */
  private void wake() {
    if (idle.get() == 0 || searching.get() > 0 || !searching.compareAndSet(0, 1)) return;
    if (takeIdle() instanceof PoolThread thread) LockSupport.unpark(thread);
    else searching.decrementAndGet();
  }

  /** A thread that was idle and is not any more, null when there is none. It is to be woken. */
  private PoolThread takeIdle() {
    for (PoolThread thread : threads) {
      if (thread.isIdle() && thread.endIdle()) {
        idle.decrementAndGet();
        return thread;
      }
    }
    return null;
  }

  // --- by a thread of the pool

  /** The task that this thread runs next; null when it is to end. */
  Task take(PoolThread me) {
    for (; ; ) {
      Task next = me.takeNext();
      if (next != null) {
        boolean mayRun = !me.leaves() && (me.chained() < CHAIN_MAX || !isReady());
        if (mayRun && mayBegin(next)) {
          me.chains();
          return next;
        }
        enqueue(next);
      }
      Task task = me.leaves() ? null : poll(me.endChain());
      if (task != null) {
        if (me.isSearching()) found(me);
        return task;
      }
      if (me.leaves() || closed) {
        if (me.isSearching()) stopsSearching(me);
        return null;
      }
      rest(me);
    }
  }

  /** Counts a task as running that was not in a queue; false when it has to wait. */
  boolean mayBegin(Task task) {
    return queueOf(task.kind()).mayBegin();
  }

  private Task poll(int turn) {
    for (int i = 0; i < queues.length; i++) {
      Task task = queues[(turn + i) % queues.length].begin();
      if (task != null) return task;
    }
    return null;
  }

  /** There may be more than this one: another thread looks for it. */
  private void found(PoolThread me) {
    stopsSearching(me);
    if (isReady()) wake();
  }

  private void stopsSearching(PoolThread me) {
    me.searching(false);
    searching.decrementAndGet();
  }

  private void rest(PoolThread me) {
    if (me.isSearching()) stopsSearching(me);
    me.beginIdle();
    idle.incrementAndGet();
    // A thread that handed in a task before this one counted as idle has woken none.
    if ((isReady() || closed || me.leaves()) && me.endIdle()) {
      idle.decrementAndGet();
      return;
    }
    while (me.isIdle()) {
      LockSupport.park(this);
      if (me.isInterrupted()) Thread.interrupted();
    }
    // The thread that woke it has counted it.
    me.searching(true);
  }

  void ends(TaskKind kind) {
    if (kind == TaskKind.ENGINE) return;
    TaskQueue queue = queueOf(kind);
    queue.ends();
    // While the kind was at its limit, threads that looked for a task passed it over.
    if (!queue.isEmpty()) wake();
  }

  synchronized void ended(PoolThread thread) {
    tasksBefore += thread.tasks();
    threads = Arrays.stream(threads).filter(one -> one != thread).toArray(PoolThread[]::new);
  }

  // --- for the watch

  PoolThread[] threads() {
    return threads;
  }

  /** How many threads it has when no task takes long. */
  int parallelism() {
    return parallelism;
  }

  /**
   * The engine's own, with as many again should its tasks take long; and all that code and callers
   * may hold.
   */
  int threadsMax() {
    int held = queueOf(TaskKind.CODE).runningMax() + queueOf(TaskKind.ANSWER).runningMax();
    return 2 * parallelism + held;
  }

  /**
   * Notes how many callers hold their threads. As many as usual may still be answered beside these.
   */
  void callersHold(int threads) {
    TaskQueue answers = queueOf(TaskKind.ANSWER);
    int most = parallelism + Math.min(threads, CALLERS_HELD_MAX);
    if (answers.runningMax() == most) return;
    answers.allowAll(most);
    if (isReady()) wake();
  }

  /** How many tasks it has begun: each of them is work that was handed to it. */
  public synchronized long tasks() {
    long tasks = tasksBefore;
    for (PoolThread thread : threads) tasks += thread.tasks();
    return tasks;
  }

  boolean isClosed() {
    return closed;
  }

  /** Whether a task waits that may run, and no thread is there that could. */
  boolean isShortOfThreads() {
    return idle.get() == 0 && isReady();
  }

  private boolean isReady() {
    for (TaskQueue queue : queues) if (queue.isReady()) return true;
    return false;
  }

  synchronized void addThread() {
    PoolThread thread = new PoolThread(this, model, name + "-" + ++numbers);
    PoolThread[] all = Arrays.copyOf(threads, threads.length + 1);
    all[all.length - 1] = thread;
    // The system may refuse it. One that has ended already waits for this lock.
    thread.start();
    threads = all;
  }

  /** One thread is too many: the newest ends, at once or when its task does. */
  void dismissThread() {
    PoolThread[] all = threads;
    for (int i = all.length - 1; i >= 0; i--) {
      PoolThread thread = all[i];
      if (thread.isHeld() || thread.leaves()) continue;
      thread.leave();
      if (thread.endIdle()) wakeToEnd(thread);
      return;
    }
  }

  private void wakeToEnd(PoolThread thread) {
    idle.decrementAndGet();
    searching.incrementAndGet();
    LockSupport.unpark(thread);
  }

  // --- limits

  /** So many more threads may run code at once, or fewer. */
  void allowCode(int more) {
    queueOf(TaskKind.CODE).allow(more);
    if (more > 0 && isReady()) wake();
  }

  /** How many more tasks of code could run than do. */
  int freeForCode() {
    return queueOf(TaskKind.CODE).free();
  }

  @Override
  public void close() {
    closed = true;
    // The threads may be in tasks that do not end, and the next of a kind would wait for them.
    runLate();
    for (PoolThread thread : threads) if (thread.endIdle()) wakeToEnd(thread);
    watch.wake();
  }
}
