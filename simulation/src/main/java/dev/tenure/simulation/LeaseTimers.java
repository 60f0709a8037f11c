package dev.tenure.simulation;

import dev.tenure.sharding.loop.Loop;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * What the care for leases does later. It has threads of its own on a node, so it waits for nothing
 * that the loop does, and its timers are no tasks of the loop.
 */
final class LeaseTimers {
  private record Timer(Instant at, long number, Runnable task) {}

  private final Loop loop;
  private final PriorityQueue<Timer> timers =
      new PriorityQueue<>(Comparator.comparing(Timer::at).thenComparing(Timer::number));
  private long numbers;

  LeaseTimers(Loop loop) {
    this.loop = loop;
  }

  void later(Duration pause, Runnable task) {
    timers.add(new Timer(loop.instant().plus(pause), numbers++, task));
  }

  Optional<Instant> next() {
    return Optional.ofNullable(timers.peek()).map(Timer::at);
  }

  /** Does what is due. */
  void fire() {
    while (!timers.isEmpty() && !timers.peek().at.isAfter(loop.instant())) timers.poll().task.run();
  }
}
