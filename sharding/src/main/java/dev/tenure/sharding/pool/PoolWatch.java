package dev.tenure.sharding.pool;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Looks for tasks that take long on the threads of a pool. It is not known beforehand which tasks
 * will: code may compute, block while its virtual thread keeps its carrier, or loop for ever.
 * Another thread then runs the task that was to follow on the thread. When the task goes on and no
 * thread is free, the watch adds a thread. A thread that is no longer needed stays for a while,
 * because long tasks often come together.
 */
final class PoolWatch {
  /** How often it looks while the pool works: a long task delays the next one for twice as long. */
  static final Duration LOOK_EVERY = Duration.ofMillis(2);

  /** How often it looks while the pool is idle. */
  static final Duration LOOK_EVERY_IDLE = Duration.ofMillis(16);

  /**
   * After so many looks in a row that find a thread waiting in one task, another thread is started.
   */
  static final int WAITING_LOOKS = 10;

  /** After so much processor time in one task, another thread is started. */
  static final Duration COMPUTED_MAX = Duration.ofMillis(5);

  /**
   * Looks in a row that find a thread in one task and neither waiting nor computing: it waits for a
   * file, or the machine has no free processor, where another thread would not help.
   */
  static final int NEITHER_LOOKS = 100;

  /** How long a thread stays that is one too many. */
  static final Duration LINGER = Duration.ofSeconds(1);

  private final ThreadMXBean cpu = ManagementFactory.getThreadMXBean();
  private final TaskPool pool;
  private Thread thread;
  private long neededAt = System.nanoTime();

  PoolWatch(TaskPool pool) {
    this.pool = pool;
  }

  void start(String name) {
    thread = Thread.ofPlatform().daemon().name(name).start(this::run);
  }

  void wake() {
    LockSupport.unpark(thread);
  }

  private void run() {
    Duration pause = LOOK_EVERY;
    while (!pool.isClosed() || pool.threads().length > 0) {
      LockSupport.parkNanos(this, pause.toNanos());
      // Its own interrupt would make it spin.
      Thread.interrupted();
      pause = lookSafely() ? LOOK_EVERY : LOOK_EVERY_IDLE;
    }
  }

  private boolean lookSafely() {
    try {
      return look(System.nanoTime());
    } catch (RuntimeException | OutOfMemoryError e) {
      // The system may refuse a thread now and grant one later: the next look asks again.
      TaskPool.log.error("A look at the threads failed.", e);
      return false;
    }
  }

  /**
   * @return whether a thread has begun or ended a task since the last look, or is in one
   */
  private boolean look(long now) {
    PoolThread[] threads = pool.threads();
    int held = 0;
    int heldByCallers = 0;
    boolean works = false;
    for (PoolThread one : threads) {
      works |= one.hasMoved();
      int looks = one.look();
      if (looks > 0) {
        one.share();
        if (!one.isHeld() && takesLong(one, looks)) one.held();
      }
      if (one.isHeld()) held++;
      else works |= looks >= 0;
      if (one.isHeldBy(TaskKind.ANSWER)) heldByCallers++;
    }
    pool.callersHold(heldByCallers);
    int wanted = Math.min(pool.parallelism() + held, pool.threadsMax());
    if (held > 0) neededAt = now;
    if (threads.length < wanted) {
      if (pool.isShortOfThreads()) pool.addThread();
    } else if (threads.length > wanted && now - neededAt > LINGER.toNanos()) {
      pool.dismissThread();
      // One at a time: the thread that was dismissed may need time to end.
      neededAt = now;
    }
    return works;
  }

  private boolean takesLong(PoolThread thread, int looks) {
    if (looks >= NEITHER_LOOKS) return true;
    if (looks >= WAITING_LOOKS && thread.getState() != Thread.State.RUNNABLE) return true;
    long used = cpu.isThreadCpuTimeSupported() ? cpu.getThreadCpuTime(thread.threadId()) : 0;
    return thread.cpuNanos(used) >= COMPUTED_MAX.toNanos();
  }
}
