package dev.tenure.activities.http;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/** For how long a call may still take. */
final class TimeLeft {
  private final long end;

  private TimeLeft(long end) {
    this.end = end;
  }

  /** Until the deadline, and for no longer than that. */
  static TimeLeft of(Duration max, Optional<Instant> deadline, InstantSource clock) {
    Duration span =
        deadline
            .map(until -> Duration.between(clock.instant(), until))
            .filter(left -> left.compareTo(max) < 0)
            .orElse(max);
    return new TimeLeft(System.nanoTime() + span.toNanos());
  }

  boolean isOver() {
    return nanos() <= 0;
  }

  long nanos() {
    return end - System.nanoTime();
  }

  /** For sockets, to which 0 would mean to wait for ever. */
  int millis(Duration max) {
    return (int) Math.max(1, Math.min(nanos() / 1_000_000, max.toMillis()));
  }
}
