package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.lease.Tenures;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.WorkflowId;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A node that is drained gives its shards away a few at a time. */
class DrainedNodeTest {
  private static final int WORKFLOWS = 400;

  /** Whoever waits for somebody who will not come waits longer. */
  private static final Duration LESS_THAN_PATIENT = Duration.ofSeconds(45);

  /**
   * A slow machine needs longer than a node waits usually, before it gives everything up at once. A
   * shard that nobody calls begun holds its place for as long, so the drain ends only when the
   * other nodes say so.
   */
  private static TestNode.Plan patient() {
    return new TestNode.Plan()
        .with(Coded.class, Coded::new)
        .configured(
            ConfigFactory.parseString(
                """
                tenure.shards { leave-limit = 50s, leave-pause-max = 50s, leave-settle-max = 50s }
                pekko.coordinated-shutdown.phases.before-cluster-shutdown.timeout = 55s
                """));
  }

  @Test
  void theMostOfWhatADrainedNodeHoldsGoesOnWhileTheRestMoves() {
    try (TwoNodes cluster = new TwoNodes(DrainedNodeTest::patient)) {
      TestNode drained = cluster.one;
      Storage storage = cluster.two.storage;
      haveAllShards(cluster.one, cluster.two);
      int held = held(drained);
      assertThat(held).isGreaterThan(20);

      assertThat(mostWithoutHolder(storage, drained.runtime.stop()))
          .as("of %d shards", held)
          .isPositive()
          .isLessThan(held / 2);
      haveAllShards(cluster.two);
    }
  }

  /** A rolling upgrade may replace several nodes at once. */
  @Test
  void soItIsWhenTwoOfThreeNodesAreDrainedTogether() {
    try (TwoNodes cluster = new TwoNodes(DrainedNodeTest::patient)) {
      TestNode stays = TestNode.start(cluster.database, patient());
      Await.until("all are there", TestNode.SOON, () -> TwoNodes.members(cluster.one) == 3);
      haveAllShards(cluster.one, cluster.two, stays);
      int held = held(cluster.one) + held(cluster.two);
      assertThat(held).isGreaterThan(20);

      CompletableFuture<?> both =
          CompletableFuture.allOf(
              cluster.one.runtime.stop().toCompletableFuture(),
              cluster.two.runtime.stop().toCompletableFuture());
      assertThat(mostWithoutHolder(stays.storage, both))
          .as("of %d shards", held)
          .isPositive()
          .isLessThan(held / 2);
      haveAllShards(stays);
      stays.stop();
    }
  }

  /** How many shards had no holder at a time, at most, until that was done. */
  private static long mostWithoutHolder(Storage storage, CompletionStage<?> until) {
    CompletableFuture<?> done = until.toCompletableFuture();
    long most = 0;
    while (!done.isDone())
      most =
          Math.max(
              most,
              storage.leases().all().stream().filter(lease -> lease.holder().isEmpty()).count());
    done.join();
    return most;
  }

  private static int held(TestNode node) {
    return Tenures.of(node.runtime.system()).held();
  }

  @Test
  void theLastNodeWaitsForNobody() {
    try (TwoNodes cluster = new TwoNodes(DrainedNodeTest::patient)) {
      haveAllShards(cluster.one, cluster.two);
      TestNode.await(cluster.one.runtime.stop());
      Await.until("one is left", TestNode.SOON, () -> TwoNodes.members(cluster.two) == 1);

      assertThat(cluster.two.runtime.stop()).succeedsWithin(LESS_THAN_PATIENT);
      assertThat(cluster.two.storage.leases().all())
          .allSatisfy(lease -> assertThat(lease.holder()).isEmpty());
    }
  }

  @Test
  void nodesThatAreDrainedTogetherDoNotWaitForEachOther() {
    try (TwoNodes cluster = new TwoNodes(DrainedNodeTest::patient)) {
      haveAllShards(cluster.one, cluster.two);
      CompletionStage<?> one = cluster.one.runtime.stop();
      CompletionStage<?> two = cluster.two.runtime.stop();
      assertThat(one).succeedsWithin(LESS_THAN_PATIENT);
      assertThat(two).succeedsWithin(LESS_THAN_PATIENT);
    }
  }

  /**
   * Every shard is asked for: one that has no work, and was on its way when the coordinator moved,
   * begins with the next message.
   */
  private static void haveAllShards(TestNode... nodes) {
    for (int i = 0; i < WORKFLOWS; i++)
      nodes[0]
          .workflows()
          .describe(WorkflowId.of("any-" + i))
          .handle((known, unknown) -> known)
          .toCompletableFuture()
          .join();
    Await.until(
        "each shard has a holder, and each node its share",
        TestNode.SOON,
        () ->
            Stream.of(nodes).mapToInt(DrainedNodeTest::held).sum() == TestDatabase.IDENTITY.shards()
                && Stream.of(nodes).allMatch(node -> held(node) > 10));
  }
}
