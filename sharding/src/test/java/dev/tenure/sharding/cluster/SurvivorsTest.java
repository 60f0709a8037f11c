package dev.tenure.sharding.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.storage.TcpProxy;
import dev.tenure.sharding.process.Await;
import dev.tenure.sharding.process.NodeProcess;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every node that reaches the database can go on, however few there are. */
@Tag("processes")
class SurvivorsTest {
  private static final Duration GOES_ON_WITHIN = Duration.ofSeconds(30);
  private static final Duration ENDS_WITHIN = Duration.ofSeconds(60);

  /** Longer than a member may be silent. */
  private static final Duration OUTAGE = Duration.ofSeconds(15);

  private static Load load(CountingCluster cluster) {
    Load load = new Load(cluster::live, CountingCluster.COUNTERS, Long.getLong("tenure.seed", 3));
    cluster.awaitAllAnswer(load, GOES_ON_WITHIN);
    return load;
  }

  private static void kill(CountingCluster cluster, int node) {
    cluster.avoid(node);
    cluster.node(node).kill();
  }

  private static void assertGoesOn(CountingCluster cluster, Load load, String after) {
    Duration took = cluster.awaitAllAnswer(load, GOES_ON_WITHIN);
    System.out.println("after " + after + " all counters answer within " + took);
    assertThat(cluster.live()).allMatch(NodeProcess::isAlive);
    assertThat(cluster.generation()).as("the same cluster").isEqualTo(1);
    cluster.awaitMembers(cluster.live().size());
  }

  private static void assertNothingLost(CountingCluster cluster, Load load) {
    load.close();
    cluster.assertNothingLost(load.acknowledged());
    assertThat(cluster.staleRows()).isZero();
  }

  @Test
  void eitherOfTwoNodesSurvivesTheOther() {
    try (CountingCluster cluster = CountingCluster.start("two", 2);
        Load load = load(cluster)) {
      kill(cluster, 0);
      assertGoesOn(cluster, load, "the loss of one of two nodes");

      cluster.launch(0);
      cluster.awaitUp(0);
      cluster.awaitMembers(2);
      kill(cluster, 1);
      assertGoesOn(cluster, load, "the loss of the other of two nodes");
      assertNothingLost(cluster, load);
    }
  }

  @Test
  void theLastOfThreeNodesSurvivesTwo() {
    try (CountingCluster cluster = CountingCluster.start("last", 3);
        Load load = load(cluster)) {
      int founder = cluster.oldest();
      int other = (founder + 1) % 3;
      cluster.avoid(founder);
      cluster.avoid(other);
      cluster.node(founder).signal("KILL");
      cluster.node(other).signal("KILL");

      assertGoesOn(cluster, load, "the loss of two of three nodes");
      assertNothingLost(cluster, load);
    }
  }

  /** By its majority rule Pekko would end all three nodes here. */
  @Test
  void aNodeThatDiesWhileAnotherLeavesEndsNoThirdOne() {
    try (CountingCluster cluster = CountingCluster.start("leaving", 3);
        Load load = load(cluster)) {
      int lowest =
          IntStream.range(0, 3).boxed().min(Comparator.comparing(cluster::port)).orElseThrow();
      int leaving = (lowest + 1) % 3;
      cluster.avoid(leaving);
      cluster.avoid(lowest);
      cluster.node(leaving).signal("TERM");
      Await.pass(Duration.ofSeconds(1));
      cluster.node(lowest).signal("KILL");

      assertGoesOn(cluster, load, "one of three nodes left and another one died");
      cluster.node(leaving).awaitExit(ENDS_WITHIN);
      assertThat(cluster.text("SELECT node FROM cluster_member")).hasSize(1);
      assertNothingLost(cluster, load);
    }
  }

  @Test
  void ofTwoNodesThatAreCutOffFromEachOtherOneGoesOn() {
    int first = CountingCluster.freePort();
    int second = CountingCluster.freePort();
    try (CountingCluster cluster = CountingCluster.empty("cut");
        TcpProxy toFirst = TcpProxy.before(first);
        TcpProxy toSecond = TcpProxy.before(second)) {
      cluster.announce(0, toFirst.port());
      cluster.announce(1, toSecond.port());
      cluster.launch(0, cluster.postgres().url(), "listen=" + first);
      cluster.launch(1, cluster.postgres().url(), "listen=" + second);
      cluster.awaitUp(0);
      cluster.awaitUp(1);
      cluster.awaitMembers(2);
      try (Load load = load(cluster)) {
        toFirst.cut();
        toSecond.cut();

        Await.until(
            "one of the two nodes has ended",
            ENDS_WITHIN,
            () -> cluster.live().stream().anyMatch(node -> !node.isAlive()));
        for (int i : List.of(0, 1)) if (!cluster.node(i).isAlive()) cluster.avoid(i);
        assertThat(cluster.live()).as("the node that goes on").hasSize(1);
        assertGoesOn(cluster, load, "two nodes were cut off from each other");
        assertNothingLost(cluster, load);
      }
    }
  }

  @Test
  void aNodeThatDiesInAnOutageOfTheDatabaseEndsNoOther() {
    try (CountingCluster cluster = CountingCluster.start("outage", 3);
        Load load = load(cluster)) {
      cluster.postgres().kill();
      kill(cluster, 2);
      Await.pass(OUTAGE);
      assertThat(cluster.live()).hasSize(2).allMatch(NodeProcess::isAlive);
      cluster.postgres().start();

      assertGoesOn(cluster, load, "a node died in an outage of the database");
      assertNothingLost(cluster, load);
    }
  }
}
