package dev.tenure.sharding.workflow;

import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Time as it passes. */
final class ThreadTimers implements Timers, AutoCloseable {
  private final ScheduledThreadPoolExecutor thread;

  ThreadTimers(String name) {
    thread = new ScheduledThreadPoolExecutor(1, Thread.ofPlatform().daemon().name(name).factory());
    thread.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
  }

  @Override
  public void after(Duration pause, Runnable task) {
    thread.schedule(task, pause.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Again and again, so long after each end. */
  void every(Duration pause, Runnable task) {
    thread.scheduleWithFixedDelay(task, pause.toNanos(), pause.toNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
