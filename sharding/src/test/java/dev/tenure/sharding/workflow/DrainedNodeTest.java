package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.lease.Lease;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.lease.ClusterMembership;
import dev.tenure.sharding.lease.Tenures;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.WorkflowId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.MemberStatus;
import org.junit.jupiter.api.Test;

/** A node that is drained gives its shards away a few at a time. */
class DrainedNodeTest {
  private static final int WORKFLOWS = 400;

  @Test
  void theMostOfWhatADrainedNodeHoldsGoesOnWhileTheRestMoves() {
    try (TwoNodes cluster = new TwoNodes(() -> new TestNode.Plan().with(Coded.class, Coded::new))) {
      TestNode drained = cluster.one;
      Storage storage = cluster.two.storage;
      haveAllShards(cluster);
      Holder self =
          ClusterMembership.holder(Cluster.get(drained.runtime.system()).selfUniqueAddress());
      int held = Tenures.of(drained.runtime.system()).held();
      assertThat(held).isGreaterThan(20);

      List<Long> standingStill = new ArrayList<>();
      AtomicReference<List<Lease>> whenItLeft = new AtomicReference<>();
      CompletableFuture<?> drain = drained.runtime.stop().toCompletableFuture();
      while (!drain.isDone()) {
        List<Lease> now = storage.leases().all();
        standingStill.add(now.stream().filter(lease -> lease.holder().isEmpty()).count());
        if (now.stream().noneMatch(lease -> lease.holder().equals(Optional.of(self))))
          whenItLeft.compareAndSet(null, now);
      }
      drain.join();

      assertThat(standingStill.stream().mapToLong(each -> each).max().orElseThrow())
          .as("of %d shards", held)
          .isPositive()
          .isLessThan(held / 2);
      assertThat(storage.leases().all()).hasSize(TestDatabase.IDENTITY.shards());
      Await.until(
          "the other node holds all",
          TestNode.SOON,
          () -> Tenures.of(cluster.two.runtime.system()).held() == TestDatabase.IDENTITY.shards());
      assertThat(whenItLeft.get()).as("seen while it was on its way out").isNotNull();
    }
  }

  /** It waits for nobody. */
  @Test
  void theLastNodeIsDrainedAtOnce() {
    try (TwoNodes cluster = new TwoNodes(() -> new TestNode.Plan().with(Coded.class, Coded::new))) {
      haveAllShards(cluster);
      TestNode.await(cluster.one.runtime.stop());
      Await.until("one is left", TestNode.SOON, () -> TwoNodes.members(cluster.two) == 1);

      long began = System.nanoTime();
      TestNode.await(cluster.two.runtime.stop());
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(15));
      assertThat(cluster.two.storage.leases().all())
          .allSatisfy(lease -> assertThat(lease.holder()).isEmpty());
    }
  }

  @Test
  void nodesThatAreDrainedTogetherDoNotWaitForEachOther() {
    try (TwoNodes cluster = new TwoNodes(() -> new TestNode.Plan().with(Coded.class, Coded::new))) {
      haveAllShards(cluster);
      CompletableFuture<?> one = cluster.one.runtime.stop().toCompletableFuture();
      CompletableFuture<?> two = cluster.two.runtime.stop().toCompletableFuture();
      CompletableFuture.allOf(one, two).orTimeout(60, TimeUnit.SECONDS).join();
      assertThat(Cluster.get(cluster.one.runtime.system()).selfMember().status())
          .isEqualTo(MemberStatus.removed());
    }
  }

  private static void haveAllShards(TwoNodes cluster) {
    for (int i = 0; i < WORKFLOWS; i++)
      cluster
          .two
          .workflows()
          .describe(WorkflowId.of("any-" + i))
          .handle((known, unknown) -> known)
          .toCompletableFuture()
          .join();
    Await.until(
        "each shard has a holder",
        TestNode.SOON,
        () ->
            Tenures.of(cluster.one.runtime.system()).held()
                    + Tenures.of(cluster.two.runtime.system()).held()
                == TestDatabase.IDENTITY.shards());
  }
}
