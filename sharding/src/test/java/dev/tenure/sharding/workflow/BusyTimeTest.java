package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BusyTimeTest {
  private static final long LIMIT = Duration.ofSeconds(2).toNanos();
  private static final long LOOK = Residents.LOOK_EVERY.toNanos();
  private static final long SINCE = 7;

  private final BusyTime busy = new BusyTime();
  private long now = SINCE;

  /** How often it was looked, as often as is usual, until it was found out. */
  private long looks(long since) {
    long made = 0;
    while (!busy.exceeds(LIMIT, since, now)) {
      now += LOOK;
      made++;
    }
    return made;
  }

  @Test
  void codeThatDoesNotComeBackIsFoundOutAtItsLimit() {
    assertThat(looks(SINCE)).isEqualTo(LIMIT / LOOK);
  }

  @Test
  void aProcessThatStoodStillHoldsItAgainstNobody() {
    assertThat(busy.exceeds(LIMIT, SINCE, now)).isFalse();
    now += Duration.ofMinutes(1).toNanos();
    assertThat(busy.exceeds(LIMIT, SINCE, now)).isFalse();
    assertThat(looks(SINCE)).isEqualTo((LIMIT - BusyTime.GAP_NANOS_MAX) / LOOK);
  }

  @Test
  void whoeverComesBackBeginsAnew() {
    looks(SINCE);
    long later = now;
    assertThat(looks(later)).isEqualTo(LIMIT / LOOK);
  }
}
