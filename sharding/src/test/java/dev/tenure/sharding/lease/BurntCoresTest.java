package dev.tenure.sharding.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.process.NodeProcess;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** User code that computes without a pause costs its node no lease. */
@Tag("processes")
class BurntCoresTest {
  /** Much longer than a lease is trusted without a renewal. */
  private static final int SECONDS = 12;

  private static final String WITHOUT_POOL =
      "pekko.actor.default-dispatcher.executor = fork-join-executor";

  private static final Duration START_LIMIT = Duration.ofSeconds(90);

  /**
   * Without the engine's pool: the JDK gives virtual threads one carrier, and the step keeps it.
   */
  @Test
  void aStepThatTakesTheOnlyCoreForLongCostsNoShard() {
    try (TestDatabase database = TestDatabase.migrated();
        NodeProcess node =
            NodeProcess.start(
                    "burning",
                    List.of("-XX:ActiveProcessorCount=1"),
                    BurningNode.class,
                    List.of(database.url(), WITHOUT_POOL))
                .awaitUp(START_LIMIT)) {
      ask(node, "burn warm 0");
      assertThat(ask(node, "result warm")).isEqualTo(1);
      assertThat(node.query("held")).isPositive();
      ask(node, "burn long " + SECONDS);
      assertThat(ask(node, "result long")).isEqualTo(1);
      assertThat(node.query("begun"))
          .as("a node that lost the shard would run the step once more")
          .isEqualTo(2);
    }
  }

  private static long ask(NodeProcess node, String request) {
    return node.ask(request).orTimeout(3, TimeUnit.MINUTES).join();
  }
}
