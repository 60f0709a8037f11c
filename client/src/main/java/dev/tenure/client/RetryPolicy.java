package dev.tenure.client;

import java.time.Duration;
import java.util.Optional;
import java.util.function.DoubleSupplier;

/**
 * How long a call is tried. Pauses double from {@code firstPause} to {@code pauseMax}, each of them
 * random within its bound, so that many callers do not come back at the same moment; when the
 * server says when to come again, the client waits until then.
 *
 * @param attemptsMax tries of one call, the first one counted
 * @param within the time after the first try in which others may begin
 */
public record RetryPolicy(
    int attemptsMax, Duration firstPause, Duration pauseMax, Duration within) {
  public static final RetryPolicy DEFAULT =
      new RetryPolicy(10, Duration.ofMillis(100), Duration.ofSeconds(5), Duration.ofSeconds(60));

  /** Each call is tried once. */
  public static final RetryPolicy NONE =
      new RetryPolicy(1, Duration.ZERO, Duration.ZERO, Duration.ZERO);

  private static final int DOUBLINGS_MAX = 20;

  public RetryPolicy {
    if (attemptsMax < 1) throw new IllegalArgumentException("a call is tried at least once");
    if (firstPause.isNegative() || pauseMax.compareTo(firstPause) < 0 || within.isNegative()) {
      throw new IllegalArgumentException("pauses are not negative, and grow");
    }
  }

  /**
   * How long to wait before the next try; empty when there is none.
   *
   * @param tried how often it was tried, from 1
   * @param elapsed since the first try began
   * @param random from 0 to 1
   */
  Optional<Duration> pause(
      int tried, Duration elapsed, Optional<Duration> retryAfter, DoubleSupplier random) {
    if (tried >= attemptsMax) return Optional.empty();
    long bound = firstPause.toMillis() << Math.min(tried - 1, DOUBLINGS_MAX);
    Duration jitter =
        Duration.ofMillis((long) (random.getAsDouble() * Math.min(bound, pauseMax.toMillis())));
    // Never before the server wants to be asked, and still not all at the same moment.
    Duration pause = retryAfter.orElse(Duration.ZERO).plus(jitter);
    return elapsed.plus(pause).compareTo(within) > 0 ? Optional.empty() : Optional.of(pause);
  }
}
