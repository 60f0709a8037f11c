package dev.tenure.persistence.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.task.TaskLimits.Use;
import dev.tenure.workflow.ActivityRouting.RateLimit;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many tasks a limit lets go. */
class TaskLimitsTest {
  private static final Instant NOW = Instant.parse("2026-03-01T09:00:00.123456Z");

  private static TaskLimits rate(int calls, Duration span) {
    return new TaskLimits("r", Optional.empty(), Optional.of(new RateLimit(calls, span)));
  }

  @ParameterizedTest
  @CsvSource({"1,1000", "3,1000", "7,1000", "60,60000", "999,1000", "100000,86400000", "7,1"})
  void allCallsOfASpanMayBeginOneByOneAndNoneMore(int calls, long spanMs) {
    TaskLimits limits = rate(calls, Duration.ofMillis(spanMs));
    Instant full = Instant.EPOCH;
    int begun = 0;
    while (limits.room(new Use(0, full), NOW, 10) > 0 && begun <= calls) {
      full = limits.fullAfter(1, full, NOW);
      begun++;
    }
    assertThat(begun).isEqualTo(calls);
    assertThat(full).isBeforeOrEqualTo(NOW.plusMillis(spanMs));
  }

  @Test
  void theyComeBackEvenly() {
    TaskLimits limits = rate(4, Duration.ofSeconds(60));
    Instant full = limits.fullAfter(4, Instant.EPOCH, NOW);
    for (int seconds : new int[] {0, 14, 15, 29, 30, 59, 60, 600})
      assertThat(limits.room(new Use(0, full), NOW.plusSeconds(seconds), 10))
          .as("after %d s", seconds)
          .isEqualTo(Math.min(4, seconds / 15));
  }

  @Test
  void aLimitThatBecameStricterLetsNothingGoUntilItIsKept() {
    Instant full = rate(1, Duration.ofHours(1)).fullAfter(1, Instant.EPOCH, NOW);
    assertThat(rate(100, Duration.ofSeconds(1)).room(new Use(0, full), NOW, 10)).isZero();
  }

  @Test
  void bothLimitsHold() {
    TaskLimits both =
        new TaskLimits("r", Optional.of(3), Optional.of(new RateLimit(2, Duration.ofSeconds(1))));
    assertThat(both.room(new Use(0, Instant.EPOCH), NOW, 10)).isEqualTo(2);
    assertThat(both.room(new Use(2, Instant.EPOCH), NOW, 10)).isEqualTo(1);
    assertThat(both.room(new Use(5, Instant.EPOCH), NOW, 10)).isZero();
    assertThat(new TaskLimits("", Optional.empty(), Optional.empty()).room(Use.NONE, NOW, 10))
        .isEqualTo(10);
  }
}
