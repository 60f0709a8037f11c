package dev.tenure.sharding.counter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.process.Await;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Nodes are killed, come back, and leave. */
class NodeLossTest {
  private static final Duration MOVES_WITHIN = Duration.ofSeconds(10);

  @Test
  void afterANodeWasKilledAllCountersAnswerWithinTenSecondsAndNothingIsLost() {
    try (CounterCluster cluster = CounterCluster.start("kill", 3);
        Load load = new Load(cluster::live, CounterCluster.COUNTERS, 1)) {
      cluster.awaitAllAnswer(load, Duration.ofSeconds(20));
      int oldest = cluster.oldest();
      int other = (oldest + 1) % 3;

      kill(cluster, load, other, "a node");
      restart(cluster, other);
      kill(cluster, load, oldest, "the oldest node");
      restart(cluster, oldest);

      load.close();
      cluster.assertNothingLost(load.acknowledged());
      assertThat(cluster.staleRows()).isZero();
      assertThat(cluster.number("SELECT generation FROM cluster_generation")).isEqualTo(1);
    }
  }

  private static void kill(CounterCluster cluster, Load load, int node, String what) {
    cluster.avoid(node);
    cluster.node(node).kill();
    Duration took = cluster.awaitAllAnswer(load, Duration.ofSeconds(30));
    System.out.println("after SIGKILL of " + what + ": all counters answer after " + took);
    assertThat(took).isLessThan(MOVES_WITHIN);
  }

  /** At the same address: it rejoins the cluster that is there. */
  private static void restart(CounterCluster cluster, int node) {
    cluster.launch(node);
    cluster.awaitUp(node);
    cluster.awaitMembers(3);
    Await.until(
        "the restarted node holds shards",
        Duration.ofSeconds(20),
        () -> cluster.node(node).query("held") > 0);
  }
}
