package dev.tenure.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.client.WorkflowHandle;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** What people wait for, again and again, is short. */
class SpeedTest {
  /** Ten times what it should take, because the machine may be busy. */
  private static final Duration TYPICAL_MAX = Duration.ofMillis(200);

  private static final int TESTS = 50;

  @Test
  void aTypicalTestTakesMilliseconds() {
    long[] nanos = new long[TESTS];
    for (int i = 0; i < TESTS; i++) {
      long begin = System.nanoTime();
      typical();
      nanos[i] = System.nanoTime() - begin;
    }
    Arrays.sort(nanos);
    System.out.printf(
        "a typical test: median %.2f ms, slowest %.2f ms%n",
        nanos[TESTS / 2] / 1e6, nanos[TESTS - 1] / 1e6);

    assertThat(Duration.ofNanos(nanos[TESTS / 2])).isLessThan(TYPICAL_MAX);
  }

  /** An engine of its own, a workflow, a query, a month, a result, its history. */
  private static void typical() {
    Trial.World world = new Trial.World();
    Plan plan = new Plan().workflow(Trial.class, () -> new Trial(world));
    try (InMemoryEngine engine = new InMemoryEngine(plan)) {
      WorkflowHandle<Trial.Ended> trial = engine.workflows().start(Trial::run, "ann", "ann");
      assertThat(trial.query("stage", String.class)).contains("card");
      assertThat(trial.result().early()).isFalse();
      assertThat(engine.steps(trial)).hasSize(2);
    }
  }
}
