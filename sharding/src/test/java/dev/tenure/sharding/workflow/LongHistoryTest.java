package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.kernel.Status;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Test;

/** One run with many steps: what the last ones cost, and how long it takes to come back. */
class LongHistoryTest {
  private static final int STEPS = Integer.getInteger("tenure.steps", 20_000);
  private static final int PART = STEPS / 10;
  private static final Duration LONG = Duration.ofMinutes(5);

  @Test
  void theLastStepsCostWhatTheFirstOnesCostAndRecoveryIsAMatterOfSeconds() {
    AtomicLongArray ended = new AtomicLongArray(STEPS);
    try (TestNode node =
        TestNode.start(
            new TestNode.Plan()
                .with(Coded.class, Coded::new)
                .settings(given -> given.withRest(Duration.ofMillis(50), 0)))) {
      Coded.begin(
          node,
          "long",
          ctx -> {
            long sum = 0;
            for (int i = 0; i < STEPS; i++) {
              int at = i;
              sum +=
                  ctx.step(
                      "step",
                      () -> {
                        ended.set(at, System.nanoTime());
                        return at;
                      });
            }
            ctx.awaitSignal("go", String.class);
            return sum;
          });
      Await.until("all are done", LONG, () -> node.describe("long").status() == Status.WAITING);
      double first = millis(ended.get(2 * PART) - ended.get(PART)) / PART;
      double last = millis(ended.get(STEPS - 1) - ended.get(STEPS - 1 - PART)) / PART;
      Await.until("it left the memory", LONG, () -> node.node.resident() == 0);
      long before = System.nanoTime();
      Coded.signal(node, "long", "go", "now");
      Await.until("it came back", LONG, () -> node.describe("long").status().isFinal());
      double recovery = millis(System.nanoTime() - before);
      System.out.printf(
          "%d steps: %.3f ms each at first, %.3f ms each at last, %.0f ms to come back%n",
          STEPS, first, last, recovery);
      long sum = (long) STEPS * (STEPS - 1) / 2;
      assertThat(node.result("long")).isEqualTo(Long.toString(sum));
      assertThat(last).isLessThan(5 * first + 1);
      assertThat(recovery).isLessThan(60_000);
    }
  }

  private static double millis(long nanos) {
    return nanos / 1e6;
  }
}
