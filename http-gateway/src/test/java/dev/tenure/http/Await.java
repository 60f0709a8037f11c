package dev.tenure.http;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what must become true, with a deadline that a slow machine keeps, too. */
final class Await {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final long PAUSE_NANOS = 50_000_000;

  private Await() {}

  static void until(BooleanSupplier condition) {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) throw new AssertionError("it did not come true in time");
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }
}
