package dev.tenure.sharding.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.storage.TcpProxy;
import dev.tenure.sharding.process.Await;
import dev.tenure.sharding.process.NodeProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One node loses its way to the database, and the others keep theirs. */
@Tag("processes")
class LostDatabaseTest {
  private static final int SIZE = 3;
  private static final Duration GOES_ON_WITHIN = Duration.ofSeconds(45);
  private static final Duration ANOTHER_LEADS_WITHIN = Duration.ofSeconds(30);

  @Test
  void itsWorkGoesToTheOthersAndSoDoesWhatOneNodeDoesForAll() {
    List<TcpProxy> ways = new ArrayList<>();
    try (CountingCluster cluster = CountingCluster.empty("lost-database")) {
      for (int i = 0; i < SIZE; i++) {
        TcpProxy way = TcpProxy.before(cluster.postgres().port());
        ways.add(way);
        cluster.launch(
            i, cluster.postgres().url().replace(":" + cluster.postgres().port(), ":" + way.port()));
      }
      for (int i = 0; i < SIZE; i++) cluster.awaitUp(i);
      cluster.awaitMembers(SIZE);
      Await.until("a node leads", ANOTHER_LEADS_WITHIN, () -> leader(cluster) >= 0);
      int sick = leader(cluster);
      try (Load load =
          new Load(cluster::live, CountingCluster.COUNTERS, Long.getLong("tenure.seed", 4))) {
        cluster.awaitAllAnswer(load, GOES_ON_WITHIN);
        assertThat(cluster.node(sick).query("held")).isPositive();

        cluster.avoid(sick);
        ways.get(sick).cut();
        Duration led =
            Await.until("another node leads", ANOTHER_LEADS_WITHIN, () -> leader(cluster) >= 0);
        Duration took = cluster.awaitAllAnswer(load, GOES_ON_WITHIN);

        System.out.println(
            "a node lost its database: another leads after %s, all counters answer after %s more"
                .formatted(led, took));
        assertThat(cluster.live()).hasSize(SIZE - 1).allMatch(NodeProcess::isAlive);
        assertThat(cluster.generation()).isEqualTo(1);
        cluster.awaitMembers(SIZE - 1);
        // It is told by the others, because the store cannot tell it.
        cluster.node(sick).awaitExit(GOES_ON_WITHIN);
        load.close();
        cluster.assertNothingLost(load.acknowledged());
        assertThat(cluster.staleRows()).isZero();
      }
    } finally {
      ways.forEach(TcpProxy::close);
    }
  }

  /** Among the nodes that clients turn to; -1 when none does. */
  private static int leader(CountingCluster cluster) {
    return IntStream.range(0, SIZE)
        .filter(i -> cluster.live().contains(cluster.node(i)))
        .filter(i -> cluster.node(i).query("leads") == 1)
        .findFirst()
        .orElse(-1);
  }
}
