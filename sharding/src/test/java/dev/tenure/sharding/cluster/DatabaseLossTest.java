package dev.tenure.sharding.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.embedded.LocalPostgres;
import dev.tenure.sharding.process.Await;
import dev.tenure.sharding.process.NodeProcess;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/** The database breaks off, crashes, and keeps its leases to itself, while clients count. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("processes")
class DatabaseLossTest {
  private static final Duration RECOVERS_WITHIN = Duration.ofSeconds(30);

  private CountingCluster cluster;

  @BeforeAll
  void start() {
    cluster = CountingCluster.start("database", 3);
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  private Load load() {
    Load load = new Load(cluster::live, CountingCluster.COUNTERS, Long.getLong("tenure.seed", 2));
    cluster.awaitAllAnswer(load, Duration.ofSeconds(30));
    return load;
  }

  private void assertNothingLost(Load load) {
    load.close();
    cluster.assertNothingLost(load.acknowledged());
    assertThat(cluster.staleRows()).isZero();
    // The nodes went on by themselves: the same processes, in the same cluster.
    assertThat(cluster.live()).allMatch(NodeProcess::isAlive);
    assertThat(cluster.generation()).isEqualTo(1);
  }

  @Test
  @Order(1)
  void connectionsThatAreTerminatedCostNothingThatWasAcknowledged() {
    try (Load load = load()) {
      for (int i = 0; i < 5; i++) {
        long terminated =
            cluster.number(
                "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename = '"
                    + LocalPostgres.APPLICATION
                    + "'");
        assertThat(terminated).isPositive();
        cluster.awaitAllAnswer(load, RECOVERS_WITHIN);
      }
      assertNothingLost(load);
    }
  }

  @Test
  @Order(2)
  void aCrashOfTheDatabaseCostsNothingThatWasAcknowledged() {
    try (Load load = load()) {
      cluster.postgres().kill();
      Await.pass(Duration.ofSeconds(2));
      cluster.postgres().start();
      Duration took = cluster.awaitAllAnswer(load, RECOVERS_WITHIN);
      System.out.println("after a crash of PostgreSQL all counters answer within " + took);
      assertNothingLost(load);
    }
  }

  @Test
  @Order(3)
  void whileTheLeasesCannotBeRenewedNothingRunsAndNothingStarts() throws SQLException {
    try (Load load = load();
        Connection other =
            cluster.postgres().connect(LocalPostgres.DATABASE, LocalPostgres.OWNER)) {
      other.setAutoCommit(false);
      other.createStatement().execute("LOCK TABLE shard_lease IN ACCESS EXCLUSIVE MODE");

      // A lease lives for 10 s and is given up before.
      Await.until(
          "every node gave its leases up, and stopped its workflows",
          Duration.ofSeconds(15),
          () ->
              cluster.live().stream()
                  .allMatch(node -> node.query("held") == 0 && node.query("resident") == 0));
      // Neither a counter that ran before nor one that never ran starts without its claim.
      for (NodeProcess node : cluster.live()) {
        assertThat(node.ask("get " + CountingCluster.COUNTERS.getFirst())).failsWithin(WITHIN);
        assertThat(node.ask("inc never-seen-before never-asked-before")).failsWithin(WITHIN);
        assertThat(node.query("resident")).isZero();
      }

      other.rollback();
      Duration took = cluster.awaitAllAnswer(load, RECOVERS_WITHIN);
      System.out.println("after the leases could be written again all answer within " + took);
      assertNothingLost(load);
    }
  }

  private static final Duration WITHIN = Duration.ofSeconds(3);
}
