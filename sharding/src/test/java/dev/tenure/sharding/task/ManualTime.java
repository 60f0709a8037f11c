package dev.tenure.sharding.task;

import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.LongSupplier;

/** Timers on a clock that the test turns. */
final class ManualTime implements TaskDesk.Pauses, LongSupplier {
  private record Timer(long at, long number, Runnable task) {}

  private final PriorityQueue<Timer> timers =
      new PriorityQueue<>(Comparator.comparingLong(Timer::at).thenComparingLong(Timer::number));
  private long now;
  private long numbers;

  @Override
  public synchronized void after(Duration pause, Runnable task) {
    timers.add(new Timer(now + pause.toNanos(), numbers++, task));
  }

  @Override
  public synchronized long getAsLong() {
    return now;
  }

  /** Runs what is due within the span, each at its time. */
  void pass(Duration span) {
    long until = getAsLong() + span.toNanos();
    for (Runnable task = due(until); task != null; task = due(until)) task.run();
    synchronized (this) {
      now = until;
    }
  }

  private synchronized Runnable due(long until) {
    if (timers.isEmpty() || timers.peek().at > until) return null;
    Timer next = timers.poll();
    now = Math.max(now, next.at);
    return next.task;
  }

  synchronized int waiting() {
    return timers.size();
  }
}
