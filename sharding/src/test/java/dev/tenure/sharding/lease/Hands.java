package dev.tenure.sharding.lease;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.LongSupplier;

/** Does what is to be done when the test says so. */
final class Hands implements LeaseWork {
  private record Timed(long at, Runnable task) {}

  private final LongSupplier nanoTime;
  private final Deque<Runnable> tasks = new ArrayDeque<>();
  private final List<Timed> timed = new ArrayList<>();

  Hands(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  @Override
  public void blocking(Runnable task) {
    tasks.add(task);
  }

  @Override
  public void claim(Runnable task) {
    tasks.add(task);
  }

  @Override
  public void later(Duration delay, Runnable task) {
    timed.add(new Timed(nanoTime.getAsLong() + delay.toNanos(), task));
  }

  void work() {
    while (!tasks.isEmpty()) tasks.poll().run();
  }

  void fire(long now) {
    List<Timed> due = timed.stream().filter(t -> t.at - now <= 0).toList();
    timed.removeAll(due);
    due.forEach(t -> t.task.run());
  }
}
