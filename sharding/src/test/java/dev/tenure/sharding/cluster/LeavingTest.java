package dev.tenure.sharding.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.membership.ForwardingMembers;
import dev.tenure.persistence.membership.Members;
import dev.tenure.persistence.membership.Standing;
import dev.tenure.persistence.postgres.PostgresStorage;
import dev.tenure.persistence.storage.CheckpointOwnership;
import dev.tenure.persistence.storage.ForwardingStorage;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.StoreIdentity;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.process.Await;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.Done;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.cluster.Cluster;
import org.junit.jupiter.api.Test;

/** The view of a node that leaves empties: it says nothing about those who stay. */
class LeavingTest {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final ClusterSettings SETTINGS =
      ClusterSettings.node(
              "127.0.0.1",
              0,
              new StoreIdentity(CheckpointOwnership.CAS_REQUIRED, CountingCluster.SHARDS))
          .withTimes(Duration.ofMillis(50), Duration.ofSeconds(3))
          .withoutExit();
  private static final int SIGNS_OF_LIFE = 3;

  @Test
  void whoeverLeavesTakesNobodyOutThatStays() {
    try (TestDatabase database = TestDatabase.migrated();
        PostgresStorage storage = PostgresStorage.open(database.settings())) {
      Beats beats = new Beats(storage.members());
      ClusterRuntime stays = start(with(new Slow(storage.members()), storage));
      ClusterRuntime leaves = start(with(beats, storage));
      Await.until("both are members", SOON, () -> members(storage) == 2);
      // Between the end of its membership and that of its row it goes on giving signs of life.
      CoordinatedShutdown.get(leaves.system())
          .addTask(
              CoordinatedShutdown.PhaseClusterShutdown(),
              "signs-of-life",
              () -> beats.several(Cluster.get(leaves.system())));

      leaves.stop();
      end(leaves);

      assertThat(beats.enough).isCompleted();
      assertThat(storage.members().roster().rows())
          .extracting(row -> row.node().node())
          .containsExactly(address(stays));
      assertThat(stays.terminated().toCompletableFuture()).isNotDone();
      stays.stop();
      end(stays);
    }
  }

  private static ClusterRuntime start(Storage storage) {
    ClusterRuntime node = CountingNode.start(SETTINGS, storage, ConfigFactory.empty());
    node.up().toCompletableFuture().orTimeout(SOON.toMillis(), TimeUnit.MILLISECONDS).join();
    return node;
  }

  private static void end(ClusterRuntime node) {
    node.terminated()
        .toCompletableFuture()
        .orTimeout(SOON.toMillis(), TimeUnit.MILLISECONDS)
        .join();
  }

  private static long members(Storage storage) {
    return storage.members().roster().rows().stream()
        .filter(row -> row.generation().isPresent())
        .count();
  }

  private static String address(ClusterRuntime node) {
    return node.system().address().hostPort();
  }

  private static Storage with(Members members, Storage storage) {
    return new ForwardingStorage(storage) {
      @Override
      public Members members() {
        return members;
      }
    };
  }

  /**
   * Slow to take out who left: otherwise that one would learn there that it is out, and be still.
   */
  private static final class Slow extends ForwardingMembers {
    Slow(Members to) {
      super(to);
    }

    @Override
    public Standing forget(Holder self, long generation, Collection<Holder> removed) {
      return beat(self, generation, Duration.ZERO);
    }
  }

  /** Tells when there were some more signs of life behind the end of the cluster. */
  private static final class Beats extends ForwardingMembers {
    private final AtomicInteger made = new AtomicInteger();
    private final CompletableFuture<Done> enough = new CompletableFuture<>();
    private volatile Cluster ending;

    Beats(Members to) {
      super(to);
    }

    CompletableFuture<Done> several(Cluster cluster) {
      ending = cluster;
      return enough;
    }

    private Standing counted(Standing standing) {
      if (ending != null && ending.isTerminated() && made.incrementAndGet() >= SIGNS_OF_LIFE)
        enough.complete(Done.done());
      return standing;
    }

    @Override
    public Standing beat(Holder self, long generation, Duration clockAhead) {
      return counted(super.beat(self, generation, clockAhead));
    }

    @Override
    public Standing forget(Holder self, long generation, Collection<Holder> removed) {
      return counted(super.forget(self, generation, removed));
    }
  }
}
