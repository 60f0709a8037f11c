package dev.tenure.simulation;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.sharding.loop.Loop;
import dev.tenure.workflow.audit.Violation;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class WatchdogTest {
  private final Loop loop = new Loop(Instant.EPOCH, Duration.ofSeconds(10));

  @Test
  void aTaskThatNeverEndsIsReportedByItsName() {
    CountDownLatch released = new CountDownLatch(1);
    loop.soon("w0 commits 3", () -> await(released));
    assertThatThrownBy(
            () -> Watchdog.run(loop, () -> loop.doNext(Loop.Choice.OLDEST), Duration.ofMillis(50)))
        .isInstanceOf(Violation.class)
        .hasMessageContaining("\"w0 commits 3\" does not end")
        .hasMessageContaining("WatchdogTest.await");
    released.countDown();
  }

  @Test
  void whatALifeThrowsIsThrown() {
    Runnable life =
        () -> {
          throw new Violation("I1", "broken");
        };
    assertThatThrownBy(() -> Watchdog.run(loop, life, Duration.ofSeconds(5)))
        .isInstanceOf(Violation.class)
        .hasMessageContaining("broken");
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
