package dev.tenure.sharding.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.process.Await;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/** Nodes are killed, come back, leave and are replaced, while clients count. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("processes")
class NodeLossTest {
  private static final int SIZE = 3;
  private static final Duration MOVES_WITHIN = Duration.ofSeconds(20);
  private static final Duration MOVES_AFTER_RESTART_WITHIN = Duration.ofSeconds(30);

  private CountingCluster cluster;
  private Load load;

  @BeforeAll
  void start() {
    cluster = CountingCluster.start("loss", SIZE);
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  @BeforeEach
  void begin() {
    load = new Load(cluster::live, CountingCluster.COUNTERS, Long.getLong("tenure.seed", 1));
    cluster.awaitAllAnswer(load, Duration.ofSeconds(20));
  }

  @AfterEach
  void nothingWasLost() {
    load.close();
    cluster.assertNothingLost(load.acknowledged());
    assertThat(cluster.staleRows()).isZero();
  }

  @Test
  @Order(0)
  void everyNodeServesAllCounters() {
    load.close();
    for (String counter : CountingCluster.COUNTERS) {
      assertThat(cluster.live().stream().map(node -> node.query("get " + counter)).distinct())
          .as("the value of " + counter + " on all nodes")
          .hasSize(1);
    }
    assertThat(cluster.live()).allMatch(node -> node.query("held") > 0);
  }

  @Test
  @Order(1)
  void afterANodeWasKilledAllCountersAnswerSoon() {
    killAndRestart((cluster.oldest() + 1) % SIZE, "a node");
  }

  @Test
  @Order(2)
  void afterTheOldestNodeWasKilledAllCountersAnswerSoon() {
    killAndRestart(cluster.oldest(), "the oldest node");
  }

  private void killAndRestart(int node, String what) {
    cluster.avoid(node);
    cluster.node(node).kill();
    Duration took = cluster.awaitAllAnswer(load, Duration.ofSeconds(30));
    System.out.println("after SIGKILL of " + what + " all counters answer within " + took);
    assertThat(took).isLessThan(MOVES_WITHIN);

    // At the same address: it rejoins the cluster that is there, and gets its share.
    cluster.launch(node);
    cluster.awaitUp(node);
    cluster.awaitMembers(SIZE);
    Await.until(
        "the restarted node holds shards",
        Duration.ofSeconds(20),
        () -> cluster.node(node).query("held") > 0);
    assertThat(cluster.generation()).isEqualTo(1);
  }

  @Test
  @Order(3)
  void aNodeThatIsReplacedHandsOverWithoutASilence() {
    int leaving = cluster.oldest();
    cluster.launch(SIZE);
    cluster.awaitUp(SIZE);
    cluster.awaitMembers(SIZE + 1);

    cluster.avoid(leaving);
    cluster.node(leaving).ask("stop");
    Duration silence =
        load.longestSilence(CountingCluster.COUNTERS, () -> !cluster.node(leaving).isAlive());
    System.out.println(
        "while a node was replaced, no counter was silent for longer than " + silence);

    assertThat(silence).isLessThan(Duration.ofSeconds(5));
    assertThat(cluster.text("SELECT node FROM cluster_member"))
        .hasSize(SIZE)
        .doesNotContain(cluster.address(leaving));
    // For the next test: three nodes, each where it was.
    cluster.launch(leaving);
    cluster.awaitUp(leaving);
    cluster.avoid(SIZE);
    cluster.node(SIZE).ask("stop");
    cluster.node(SIZE).awaitExit(Duration.ofSeconds(40));
    cluster.awaitMembers(SIZE);
    assertThat(cluster.generation()).isEqualTo(1);
  }

  @Test
  @Order(4)
  void aFullRestartFormsOneCluster() {
    IntStream.range(0, SIZE).forEach(cluster::avoid);
    IntStream.range(0, SIZE).forEach(i -> cluster.node(i).kill());

    IntStream.range(0, SIZE).forEach(cluster::launch);
    IntStream.range(0, SIZE).forEach(cluster::awaitUp);

    cluster.awaitMembers(SIZE);
    assertThat(cluster.generation()).isEqualTo(2);
    Duration took = cluster.awaitAllAnswer(load, MOVES_AFTER_RESTART_WITHIN);
    System.out.println("after a full restart all counters answer within " + took);
  }
}
