package dev.tenure.node.process;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition, with a deadline. */
final class Await {
  private static final Duration POLL = Duration.ofMillis(50);

  private Await() {}

  static void until(String what, Duration limit, BooleanSupplier condition) {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) throw new AssertionError(what + ": not within " + limit);
      LockSupport.parkNanos(POLL.toNanos());
    }
  }
}
