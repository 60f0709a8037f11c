package dev.tenure.sharding.activity;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * What the times of attempts go by. A limit is measured, so no clock that is set ends an attempt
 * early or late. The deadline of all attempts is a time of the owner's clock.
 *
 * @param nanos a clock that only measures, as {@link System#nanoTime}
 * @param owners the clock that owners decide with
 * @param machine the clock that an activity's code compares a deadline with
 */
public record AttemptClocks(LongSupplier nanos, InstantSource owners, InstantSource machine) {
  /** A longer limit never comes; the clock that measures counts for 292 years. */
  private static final Duration LONGEST = Duration.ofDays(36_500);

  /** Where the owners' clock is that of the machine, too. */
  public static AttemptClocks of(LongSupplier nanos, InstantSource clock) {
    return new AttemptClocks(nanos, clock, clock);
  }

  /** The end of a span that begins now, by the clock that only measures. */
  long endOf(Duration span) {
    return nanos.getAsLong() + (span.compareTo(LONGEST) > 0 ? LONGEST : span).toNanos();
  }

  Duration until(long end) {
    return Duration.ofNanos(end - nanos.getAsLong());
  }

  Duration until(Instant deadline) {
    return Duration.between(owners.instant(), deadline);
  }

  /** When that span is over, by the clock of the machine. */
  Instant onMachine(Duration left) {
    return machine.instant().plus(left);
  }
}
