package dev.tenure.sharding.host;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Timers on the clock of the machine. What a task throws is logged, and ends nothing else. */
final class ThreadTimers implements Timers, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ThreadTimers.class);

  /** A repeated task pauses for at least this many times its own duration. */
  private static final int PART_OF_A_CORE = 30;

  /** A task that must run, or else its substitute when the node closes. */
  private static final class Promised {
    final Runnable instead;

    Promised(Runnable instead) {
      this.instead = instead;
    }
  }

  private final ScheduledThreadPoolExecutor thread;
  private final BiConsumer<String, Throwable> failures;
  private final String anyTask;
  private final Set<Promised> promised = ConcurrentHashMap.newKeySet();

  ThreadTimers(String name) {
    this(name, (what, failure) -> log.error("{} failed", what, failure));
  }

  /**
   * @param failures told what a task threw, and which task it was
   */
  ThreadTimers(String name, BiConsumer<String, Throwable> failures) {
    this.failures = failures;
    this.anyTask = "A task of " + name;
    thread = new ScheduledThreadPoolExecutor(1, Thread.ofPlatform().daemon().name(name).factory());
    thread.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
  }

  @Override
  public void after(Duration pause, Runnable task) {
    after(pause, anyTask, task);
  }

  private void after(Duration pause, String what, Runnable task) {
    thread.schedule(() -> run(what, task), pause.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** The executor would keep what the task throws in a future that no thread reads. */
  private void run(String what, Runnable task) {
    try {
      task.run();
    } catch (Throwable failure) {
      failures.accept(what, failure);
    }
  }

  @Override
  public void after(Duration pause, Runnable task, Runnable instead) {
    Promised promise = new Promised(instead);
    promised.add(promise);
    after(
        pause,
        () -> {
          if (promised.remove(promise)) task.run();
        });
    // The thread that closes may have gone through the promises before this one was made.
    if (thread.isShutdown()) giveUp(promise);
  }

  private void giveUp(Promised promise) {
    // Each of them is promised, also when another one fails.
    if (promised.remove(promise)) run(anyTask, promise.instead);
  }

  /**
   * Repeats the task with this pause; when the task takes long, with a longer pause of at most
   * {@code pauseMax}, so that it uses a small part of one core.
   *
   * @param what the task, for the log
   */
  void often(String what, Duration pause, Duration pauseMax, Runnable task) {
    next(what, pause, pause, pauseMax, task);
  }

  private void next(String what, Duration now, Duration pause, Duration pauseMax, Runnable task) {
    after(
        now,
        what,
        () -> {
          long begun = System.nanoTime();
          try {
            task.run();
          } finally {
            long wanted = (System.nanoTime() - begun) * PART_OF_A_CORE;
            next(what, clamp(wanted, pause, pauseMax), pause, pauseMax, task);
          }
        });
  }

  private static Duration clamp(long nanos, Duration least, Duration most) {
    return Duration.ofNanos(Math.clamp(nanos, least.toNanos(), most.toNanos()));
  }

  @Override
  public void close() {
    thread.shutdownNow();
    promised.forEach(this::giveUp);
  }
}
