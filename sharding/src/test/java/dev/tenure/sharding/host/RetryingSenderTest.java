package dev.tenure.sharding.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** What is repeated until it is done does not end because one try throws. */
class RetryingSenderTest {
  private final Queue<Runnable> due = new ArrayDeque<>();
  private final List<Duration> pauses = new ArrayList<>();
  private final RetryingSender sender =
      new RetryingSender(
          (pause, task) -> {
            pauses.add(pause);
            due.add(task);
          });

  private int tries;
  private boolean wanted = true;

  /** Is refused first, throws then, and works the third time. */
  private boolean offer() {
    tries++;
    if (tries == 2) throw new IllegalStateException("on purpose");
    return tries == 3;
  }

  private void until(BooleanSupplier attempt) {
    sender.until(() -> "the offer", attempt, () -> wanted);
  }

  private void assertTheSecondTryIsReported() {
    until(this::offer);
    assertThatThrownBy(due.remove()::run)
        .hasMessage("the offer is tried again")
        .hasRootCauseMessage("on purpose");
  }

  @Test
  void aTryThatThrowsIsReportedAndFollowedByTheNext() {
    assertTheSecondTryIsReported();
    due.remove().run();
    assertThat(tries).isEqualTo(3);
    assertThat(due).isEmpty();
    assertThat(pauses)
        .containsExactly(RetryingSender.FIRST_PAUSE, RetryingSender.FIRST_PAUSE.multipliedBy(2));
  }

  @Test
  void unlessItIsNotWantedAnyMore() {
    assertTheSecondTryIsReported();
    wanted = false;
    due.remove().run();
    assertThat(tries).isEqualTo(2);
    assertThat(due).isEmpty();
  }

  @Test
  void whatTheFirstTryThrowsIsForTheCaller() {
    assertThatThrownBy(
            () ->
                until(
                    () -> {
                      throw new IllegalStateException("on purpose");
                    }))
        .hasMessage("on purpose");
    assertThat(due).isEmpty();
  }
}
