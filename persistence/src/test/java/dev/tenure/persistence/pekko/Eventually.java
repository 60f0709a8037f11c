package dev.tenure.persistence.pekko;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Looks again and again, for what becomes true without telling anybody. */
final class Eventually {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration LOOK_EVERY = Duration.ofMillis(10);

  private Eventually() {}

  static void equals(Callable<?> actual, Object expected) throws Exception {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    Object last = actual.call();
    while (!expected.equals(last)) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("expected " + expected + ", and it stays " + last);
      }
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
      last = actual.call();
    }
  }
}
