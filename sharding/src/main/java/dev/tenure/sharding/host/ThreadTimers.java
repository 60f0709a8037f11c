package dev.tenure.sharding.host;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Timers on the clock of the machine. */
final class ThreadTimers implements Timers, AutoCloseable {
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
  private final Set<Promised> promised = ConcurrentHashMap.newKeySet();

  ThreadTimers(String name) {
    thread = new ScheduledThreadPoolExecutor(1, Thread.ofPlatform().daemon().name(name).factory());
    thread.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
  }

  @Override
  public void after(Duration pause, Runnable task) {
    thread.schedule(task, pause.toNanos(), TimeUnit.NANOSECONDS);
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
    if (promised.remove(promise)) promise.instead.run();
  }

  /**
   * Repeats the task with this pause; when the task takes long, with a longer pause of at most
   * {@code pauseMax}, so that it uses a small part of one core.
   */
  void often(Duration pause, Duration pauseMax, Runnable task) {
    next(pause, pause, pauseMax, task);
  }

  private void next(Duration now, Duration pause, Duration pauseMax, Runnable task) {
    after(
        now,
        () -> {
          long begun = System.nanoTime();
          try {
            task.run();
          } finally {
            long wanted = (System.nanoTime() - begun) * PART_OF_A_CORE;
            next(clamp(wanted, pause, pauseMax), pause, pauseMax, task);
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
