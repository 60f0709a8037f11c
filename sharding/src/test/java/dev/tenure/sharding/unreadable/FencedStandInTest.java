package dev.tenure.sharding.unreadable;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import dev.tenure.persistence.shard.ShardOf;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.process.Await;
import dev.tenure.sharding.workflow.Coded;
import dev.tenure.sharding.workflow.TestNode;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Status;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A stand-in whose shard another node has taken, on a node that beats seldom: what the store
 * refuses tells the node at once, and the next stand-in does what was asked for.
 */
class FencedStandInTest {
  private static final WorkflowId DAMAGED = WorkflowId.of("damaged");

  private TestDatabase database;

  @BeforeEach
  void open() {
    database = TestDatabase.migrated();
    try (TestNode node = TestNode.start(database, plan())) {
      Coded.begin(node, "damaged", ctx -> ctx.awaitSignal("go", String.class));
      DamagedHistories.awaitWaiting(node, "damaged");
    }
    DamagedHistories.damage(database, "damaged");
  }

  @AfterEach
  void close() {
    database.close();
  }

  private static TestNode.Plan plan() {
    return new TestNode.Plan()
        .with(Coded.class, Coded::new)
        .configured(
            ConfigFactory.parseString(
                "tenure.shard-lease { time-to-live = 1h, renew-every = 15m }"));
  }

  private static boolean isIncident(TestNode node) {
    try {
      node.describe("damaged");
      return false;
    } catch (CompletionException refused) {
      return TestNode.await(node.workflows().incident(DAMAGED)).isPresent();
    }
  }

  /** As after a lossy fail-over of the database: the node believes in an epoch of another one. */
  private void takeItsShard() {
    database.execute(
        "UPDATE shard_lease SET holder_node = 'other:1', holder_incarnation = 1,"
            + " expires_at = clock_timestamp() WHERE shard = "
            + ShardOf.workflow("damaged", TestDatabase.IDENTITY.shards()));
  }

  @Test
  void aTerminationIsCarriedOutBeforeTheNextBeat() {
    try (TestNode node = TestNode.start(database, plan())) {
      Await.until("it is an incident", TestNode.SOON, () -> isIncident(node));
      takeItsShard();
      assertThat(TestNode.await(node.workflows().terminate(DAMAGED, "enough"))).isTrue();
      assertThat(node.end("damaged").status()).isEqualTo(Status.TERMINATED);
    }
  }

  @Test
  void aResolutionIsCarriedOutBeforeTheNextBeat() {
    try (TestNode node = TestNode.start(database, plan())) {
      Await.until("it is an incident", TestNode.SOON, () -> isIncident(node));
      takeItsShard();
      TestNode.await(node.workflows().resolveIncident(DAMAGED, "hope"));
      Await.until("it is one again", TestNode.SOON, () -> isIncident(node));
    }
  }
}
