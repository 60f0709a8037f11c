package dev.tenure.sharding.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.lease.Lease;
import dev.tenure.persistence.membership.Formation;
import dev.tenure.persistence.membership.Newcomer;
import dev.tenure.persistence.membership.Standing;
import dev.tenure.persistence.memory.MemoryStorage;
import dev.tenure.persistence.postgres.PostgresStorage;
import dev.tenure.persistence.storage.CheckpointOwnership;
import dev.tenure.persistence.storage.CheckpointOwnershipCapabilityError;
import dev.tenure.persistence.storage.Durability;
import dev.tenure.persistence.storage.StorageNotDurableError;
import dev.tenure.persistence.storage.StoreIdentity;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.lease.SecondShardedTypeError;
import dev.tenure.sharding.lease.Tenures;
import dev.tenure.sharding.process.Await;
import dev.tenure.sharding.workflow.Workflows;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.sharding.typed.javadsl.Entity;
import org.apache.pekko.cluster.sharding.typed.javadsl.EntityTypeKey;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One node, in this process: how it starts, what it refuses, and how it ends. */
class ClusterRuntimeTest {
  private static final StoreIdentity IDENTITY =
      new StoreIdentity(CheckpointOwnership.CAS_REQUIRED, CountingCluster.SHARDS);
  private static final Duration SILENCE = Duration.ofSeconds(3);
  private static final ClusterSettings SETTINGS =
      ClusterSettings.node("127.0.0.1", 0, IDENTITY)
          .withTimes(Duration.ofMillis(250), SILENCE)
          .withoutExit();
  private static final Duration SOON = Duration.ofSeconds(60);

  private TestDatabase database;
  private PostgresStorage storage;

  @BeforeEach
  void open() {
    database = TestDatabase.migrated();
    storage = PostgresStorage.open(database.settings());
  }

  @AfterEach
  void close() {
    storage.close();
    database.close();
  }

  private ClusterRuntime start() {
    return CountingNode.start(SETTINGS, storage, ConfigFactory.empty());
  }

  private static void awaitUp(ClusterRuntime node) {
    node.up().toCompletableFuture().orTimeout(SOON.toMillis(), TimeUnit.MILLISECONDS).join();
  }

  private static void awaitEnd(ClusterRuntime node) {
    node.terminated()
        .toCompletableFuture()
        .orTimeout(SOON.toMillis(), TimeUnit.MILLISECONDS)
        .join();
  }

  @Test
  void aNodeThatStopsGivesItsLeasesAndItsPlaceBack() {
    ClusterRuntime node = start();
    Workflows workflows = CountingNode.workflows(node).workflows();
    awaitUp(node);
    for (int i = 0; i < 20; i++)
      assertThat(CountingNode.increment(workflows, new HashSet<>(), "c" + i, "first"))
          .succeedsWithin(SOON)
          .isEqualTo(1L);
    assertThat(Tenures.of(node.system()).held()).isPositive();

    node.stop();
    awaitEnd(node);

    assertThat(storage.members().roster().rows()).isEmpty();
    for (int shard = 0; shard < CountingCluster.SHARDS; shard++) {
      assertThat(storage.leases().find(shard).flatMap(Lease::holder)).isEmpty();
    }
  }

  @Test
  void aSecondShardedTypeIsRefused() {
    ClusterRuntime node = start();
    try {
      EntityTypeKey<String> first = EntityTypeKey.create(String.class, "first");
      EntityTypeKey<String> second = EntityTypeKey.create(String.class, "second");
      node.shard(Entity.of(first, context -> Behaviors.empty()));

      assertThatThrownBy(() -> node.shard(Entity.of(second, context -> Behaviors.empty())))
          .isInstanceOf(SecondShardedTypeError.class)
          .hasMessageContaining("'first'")
          .hasMessageContaining("'second'");
    } finally {
      node.system().terminate();
      awaitEnd(node);
    }
  }

  @Test
  void aNodeWhoseClusterWasSupersededEndsItself() {
    ClusterRuntime node = start();
    awaitUp(node);
    Holder other = new Holder("tenure@other:1", 1);
    Await.until("it is a member", SOON, () -> memberOf(1));

    storage.members().seek(other, roster -> new Formation.Found(2, Formation.Reason.ALL_SILENT));

    awaitEnd(node);
    assertThat(storage.members().beat(other, 2, Duration.ZERO)).isEqualTo(new Standing.Current());
  }

  private boolean memberOf(long generation) {
    return storage.members().roster().rows().stream()
        .anyMatch(row -> row.generation().orElse(0) == generation);
  }

  @Test
  void silentMembersAreWaitedForBeforeANewClusterIsFounded() {
    storage.prepare(IDENTITY);
    Holder dead = new Holder("tenure@127.0.0.1:1", 1);
    new Newcomer(storage.members(), dead, SILENCE, System::nanoTime).look();
    // As after an outage, or a restart at other addresses: the last sign of life is long ago.
    database.execute("UPDATE cluster_member SET heartbeat_at = heartbeat_at - interval '1 hour'");

    long begun = System.nanoTime();
    ClusterRuntime node = start();
    awaitUp(node);
    Duration took = Duration.ofNanos(System.nanoTime() - begun);

    assertThat(took).isGreaterThanOrEqualTo(SILENCE);
    assertThat(storage.members().roster().generation()).isEqualTo(2);
    assertThat(storage.members().beat(dead, 1, Duration.ZERO))
        .isEqualTo(new Standing.Superseded(2));
    node.stop();
    awaitEnd(node);
  }

  @Test
  void aStorageThatCannotBeSharedIsRefusedBeforeAnythingIsClaimed() {
    MemoryStorage memory = MemoryStorage.create(InstantSource.system());

    assertThatThrownBy(() -> CountingNode.start(SETTINGS, memory, ConfigFactory.empty()))
        .isInstanceOf(CheckpointOwnershipCapabilityError.class)
        .hasMessageContaining("cas-required")
        .hasMessageContaining("MemoryStorage");
    assertThat(memory.members().roster().rows()).isEmpty();
  }

  @Test
  void aStorageWithoutConditionalBatchIsRefusedByName() {
    MemoryStorage memory = MemoryStorage.withoutConditionalBatch(InstantSource.system());

    assertThatThrownBy(() -> CountingNode.start(SETTINGS, memory, ConfigFactory.empty()))
        .isInstanceOf(CheckpointOwnershipCapabilityError.class)
        .hasMessageContaining("conditionalBatch");
    assertThat(memory.members().roster().rows()).isEmpty();
  }

  @Test
  void aStorageThatForgetsIsRefusedUnlessThatIsWanted() {
    MemoryStorage memory = MemoryStorage.create(InstantSource.system());
    ClusterSettings alone =
        new ClusterSettings(
            "127.0.0.1",
            0,
            "127.0.0.1",
            new StoreIdentity(CheckpointOwnership.SINGLE_OWNER, 4),
            Durability.REQUIRED,
            "0.0.0",
            Duration.ofMillis(250),
            SILENCE,
            false);

    assertThatThrownBy(() -> CountingNode.start(alone, memory, ConfigFactory.empty()))
        .isInstanceOf(StorageNotDurableError.class);

    ClusterRuntime node =
        CountingNode.start(
            alone.withDurability(Durability.NOT_REQUIRED), memory, ConfigFactory.empty());
    awaitUp(node);
    node.stop();
    awaitEnd(node);
  }
}
