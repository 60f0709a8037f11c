package dev.tenure.sharding.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BusyTimeTest {
  private static final long LIMIT = Duration.ofSeconds(2).toNanos();
  private static final long LOOK = Duration.ofMillis(25).toNanos();
  private static final long SINCE = 7;

  private final BusyTime busy = new BusyTime();
  private long now = SINCE;
  private long ran;

  /** How often it was looked, as often as is usual, until it was found out. */
  private long looks(long since) {
    long made = 0;
    while (!busy.exceeds(LIMIT, since, ran, true, now)) {
      now += LOOK;
      ran += LOOK;
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
    assertThat(busy.exceeds(LIMIT, SINCE, ran, true, now)).isFalse();
    now += Duration.ofMinutes(1).toNanos();
    ran += Duration.ofMinutes(1).toNanos();
    assertThat(busy.exceeds(LIMIT, SINCE, ran, true, now)).isFalse();
    assertThat(looks(SINCE)).isEqualTo((LIMIT - BusyTime.GAP_NANOS_MAX) / LOOK);
  }

  @Test
  void codeThatIsToldTheNextNewsBeginsAnew() {
    looks(SINCE);
    ran = 0;
    assertThat(looks(now)).isEqualTo(LIMIT / LOOK);
  }

  @Test
  void timeInWhichNoThreadGotACarrierCountsForNobody() {
    for (int i = 0; i < 10 * LIMIT / LOOK; i++) {
      now += LOOK;
      ran += LOOK;
      assertThat(busy.exceeds(LIMIT, SINCE, ran, false, now)).isFalse();
    }
    assertThat(looks(SINCE)).isEqualTo(LIMIT / LOOK);
  }

  @Test
  void timeInWhichItsThreadWaitedDoesNotCount() {
    for (int i = 0; i < 10 * LIMIT / LOOK; i++) {
      now += LOOK;
      assertThat(busy.exceeds(LIMIT, SINCE, ran, true, now)).isFalse();
    }
    assertThat(looks(SINCE)).isEqualTo(LIMIT / LOOK);
  }
}
