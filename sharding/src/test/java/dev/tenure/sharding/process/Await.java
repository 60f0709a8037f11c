package dev.tenure.sharding.process;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition, with a deadline. */
public final class Await {
  private static final Duration PAUSE = Duration.ofMillis(20);

  private Await() {}

  /** Returns how long it took. */
  public static Duration until(String what, Duration limit, BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > limit.toNanos()) {
        throw new AssertionError("not within " + limit + ": " + what);
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
    return Duration.ofNanos(System.nanoTime() - start);
  }

  /** Lets time pass while a fault lasts, or as work does. */
  public static void pass(Duration time) {
    long start = System.nanoTime();
    for (long left = time.toNanos(); left > 0; left = time.toNanos() - (System.nanoTime() - start))
      LockSupport.parkNanos(left);
  }
}
