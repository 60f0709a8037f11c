package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Status;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The clock of the store is set back, and with it the one that workflows go by. */
class ClockSetBackTest {
  /** It does not rest for so long that it leaves the memory. */
  private static final Duration SLEEP = Duration.ofSeconds(5);

  private static final WorkflowId ID = WorkflowId.of("sleeper");

  private final TestLoopNode node = new TestLoopNode();

  private void begin() {
    node.begin(
        ID.value(),
        ctx -> {
          ctx.sleep(SLEEP);
          return "awake";
        });
    node.quiet();
  }

  private Status status() {
    return node.storage.workflows().find(ID).orElseThrow().status();
  }

  private void look() {
    node.node().look();
    node.quiet();
  }

  /** Between the look at the clock that finds the timer due, and the decision of the owner. */
  @Test
  void anOwnerThatWasToldTooEarlyIsToldAgain() {
    begin();
    node.loop.passTo(node.loop.instant().plus(SLEEP));
    node.node().look();
    node.set = Duration.ofMillis(-5);
    node.quiet();
    assertThat(status()).isEqualTo(Status.WAITING);

    // The next look comes when it is due once more.
    node.loop.passTo(node.loop.instant().plusMillis(25));
    look();
    assertThat(status()).isEqualTo(Status.COMPLETED);
  }

  @Test
  void aTimerWaitsForTheClockThatWasSetBack() {
    begin();
    node.set = Duration.ofHours(-1);
    node.pass(SLEEP.plusSeconds(1));
    assertThat(status()).isEqualTo(Status.WAITING);
    node.pass(Duration.ofHours(1));
    look();
    assertThat(status()).isEqualTo(Status.COMPLETED);
  }

  @Test
  void recordedTimesDoNotGoBack() {
    node.begin(
        ID.value(),
        ctx -> {
          for (int i = 0; i < 3; i++) {
            ctx.step("step " + i, () -> "done");
            ctx.sleep(Duration.ofSeconds(1));
          }
          return "awake";
        });
    for (int i = 0; i < 3; i++) {
      node.set = node.set.minusMinutes(1);
      node.pass(Duration.ofMinutes(5));
      look();
    }
    node.pass(Duration.ofMinutes(5));
    assertThat(status()).isEqualTo(Status.COMPLETED);
    assertThat(node.events(ID.value()).stream().map(Event::at).toList()).isSorted();
  }
}
