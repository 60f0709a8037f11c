package dev.tenure.client.worker;

import dev.tenure.client.TenureException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The pauses between calls that fail. They grow, and are random within their bound, so that a
 * thousand workers do not come back at the same moment; never before the server wants it.
 */
final class Backoff {
  /** So that a test need not wait. */
  interface Pauses {
    void take(Duration pause) throws InterruptedException;
  }

  static final Duration FIRST = Duration.ofMillis(200);
  static final Duration MAX = Duration.ofSeconds(20);
  private static final int DOUBLINGS_MAX = 10;

  private final Pauses pauses;
  private int failures;

  Backoff(Pauses pauses) {
    this.pauses = pauses;
  }

  void succeeded() {
    failures = 0;
  }

  /** Whether the call before failed, too. */
  boolean hasFailed() {
    return failures > 0;
  }

  void rest(TenureException failure) throws InterruptedException {
    long bound = FIRST.toMillis() << Math.min(failures, DOUBLINGS_MAX);
    failures++;
    long millis = ThreadLocalRandom.current().nextLong(1 + Math.min(bound, MAX.toMillis()));
    pauses.take(failure.retryAfter().orElse(Duration.ZERO).plusMillis(millis));
  }
}
