package dev.tenure.persistence.visibility;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Instants as the store keeps them: in microseconds, in years that every reader understands. What
 * lies outside becomes the nearest that does not; a timer of ten thousand years is as good as none.
 */
public final class StoredTime {
  public static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");
  public static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999Z");

  private StoredTime() {}

  /** Rounded down. */
  public static Instant floor(Instant time) {
    if (time.isBefore(EARLIEST)) return EARLIEST;
    return time.isAfter(LATEST) ? LATEST : time.truncatedTo(ChronoUnit.MICROS);
  }

  /** Rounded up: nothing may wake a moment before it is due (I17). */
  public static Instant ceiling(Instant time) {
    Instant floor = floor(time);
    return floor.isBefore(time) && floor.isBefore(LATEST)
        ? floor.plus(1, ChronoUnit.MICROS)
        : floor;
  }
}
