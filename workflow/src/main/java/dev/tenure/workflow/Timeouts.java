package dev.tenure.workflow;

import java.time.Duration;
import java.util.Optional;

/**
 * How long one attempt, and all attempts with their delays, may take.
 *
 * @param attempt counted anew when an attempt is handed to another owner after a crash; an
 *     activity's counts from when it begins to run, not while it waits for its turn
 * @param total counted from the moment the operation was asked for
 */
public record Timeouts(Optional<Duration> attempt, Optional<Duration> total) {
  /** The longest any of them may be. */
  public static final Duration MAX = Duration.ofDays(3_650);

  public static final Timeouts NONE = new Timeouts(Optional.empty(), Optional.empty());

  /** What applies when nothing is said: five minutes for an attempt, no bound in all. */
  public static final Timeouts DEFAULT = NONE.attempt(Duration.ofMinutes(5));

  public Timeouts {
    attempt.ifPresent(duration -> requireSpan("attempt timeout", duration));
    total.ifPresent(duration -> requireSpan("total timeout", duration));
  }

  /** Throws unless the span is positive and below {@link #MAX}. */
  public static Duration requireSpan(String what, Duration span) {
    if (span.isNegative() || span.isZero() || Admitted.refuses(span.compareTo(MAX) > 0))
      throw new IllegalArgumentException(
          "The %s is %s: use more than 0 and at most %s.".formatted(what, span, MAX));
    return span;
  }

  public Timeouts attempt(Duration max) {
    return new Timeouts(Optional.of(max), total);
  }

  public Timeouts total(Duration max) {
    return new Timeouts(attempt, Optional.of(max));
  }
}
