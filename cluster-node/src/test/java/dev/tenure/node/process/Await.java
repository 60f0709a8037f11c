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

  /** Lets time pass while a fault lasts. */
  static void pass(Duration time) {
    long start = System.nanoTime();
    for (long left = time.toNanos(); left > 0; left = time.toNanos() - (System.nanoTime() - start))
      LockSupport.parkNanos(left);
  }
}
