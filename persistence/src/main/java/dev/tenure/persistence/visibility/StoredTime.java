package dev.tenure.persistence.visibility;

import dev.tenure.persistence.commit.InvalidCommitError;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Instants as the store keeps them: in microseconds, in years that every reader understands. */
public final class StoredTime {
  public static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");
  public static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999Z");

  private StoredTime() {}

  /** Rounded down. */
  public static Instant floor(String what, Instant time) {
    if (time.isBefore(EARLIEST) || time.isAfter(LATEST)) {
      throw new InvalidCommitError(
          "%s is %s: the store keeps times from %s to %s".formatted(what, time, EARLIEST, LATEST));
    }
    return time.truncatedTo(ChronoUnit.MICROS);
  }

  /** Rounded up: nothing may wake a moment before it is due (I17). */
  public static Instant ceiling(String what, Instant time) {
    Instant floor = floor(what, time);
    return floor.equals(time) ? floor : floor.plus(1, ChronoUnit.MICROS);
  }
}
