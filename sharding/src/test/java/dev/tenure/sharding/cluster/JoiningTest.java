package dev.tenure.sharding.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.membership.Formation;
import dev.tenure.persistence.membership.ForwardingMembers;
import dev.tenure.persistence.membership.MemberRow;
import dev.tenure.persistence.membership.Members;
import dev.tenure.persistence.membership.Roster;
import dev.tenure.persistence.membership.Standing;
import dev.tenure.persistence.postgres.PostgresStorage;
import dev.tenure.persistence.storage.CheckpointOwnership;
import dev.tenure.persistence.storage.ForwardingStorage;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.StoreIdentity;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.process.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.pekko.cluster.Cluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the store says of members is what they are, and nobody is driven out of an address. */
@Tag("processes")
class JoiningTest {
  private static final Duration SOON = Duration.ofSeconds(60);

  private final List<ClusterRuntime> nodes = new ArrayList<>();
  private TestDatabase database;
  private PostgresStorage storage;

  @BeforeEach
  void open() {
    database = TestDatabase.migrated();
    storage = PostgresStorage.open(database.settings());
  }

  @AfterEach
  void close() {
    nodes.forEach(node -> node.system().terminate());
    nodes.forEach(JoiningTest::end);
    storage.close();
    database.close();
  }

  private static ClusterSettings at(String host, int port) {
    return ClusterSettings.node(
            host, port, new StoreIdentity(CheckpointOwnership.CAS_REQUIRED, CountingCluster.SHARDS))
        .withBindHost("127.0.0.1")
        .withTimes(Duration.ofMillis(250), Duration.ofSeconds(5))
        .withoutExit();
  }

  private ClusterRuntime start(ClusterSettings settings, Storage over, Config configured) {
    ClusterRuntime node = CountingNode.start(settings, over, configured);
    nodes.add(node);
    return node;
  }

  private ClusterRuntime first() {
    ClusterRuntime first = start(at("127.0.0.1", 0), storage, ConfigFactory.empty());
    assertThat(first.up()).succeedsWithin(SOON);
    return first;
  }

  private static void end(ClusterRuntime node) {
    node.terminated()
        .toCompletableFuture()
        .orTimeout(SOON.toMillis(), TimeUnit.MILLISECONDS)
        .join();
  }

  private Storage with(Members members) {
    return new ForwardingStorage(storage) {
      @Override
      public Members members() {
        return members;
      }
    };
  }

  private MemberRow row(ClusterRuntime node) {
    return storage.members().roster().rows().stream()
        .filter(row -> row.node().node().equals(node.system().address().hostPort()))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aNodeBelongsToTheClusterThatTookItInAndNotToTheOneThatItLookedFor() {
    ClusterRuntime first = first();
    Members outdated =
        new ForwardingMembers(storage.members()) {
          @Override
          public Formation seek(Holder self, Function<Roster, Formation> decision) {
            // As if the first node had founded its cluster just after this look.
            return super.seek(self, decision) instanceof Formation.Join join
                ? new Formation.Join(join.generation() - 1, join.nodes())
                : new Formation.Reach(0, List.of(), SOON);
          }
        };

    ClusterRuntime second = start(at("127.0.0.1", 0), with(outdated), ConfigFactory.empty());

    assertThat(second.up()).succeedsWithin(SOON);
    Await.until("it is registered", SOON, () -> row(second).generation().isPresent());
    assertThat(row(second).generation()).isEqualTo(row(first).generation());
    assertThat(second.terminated().toCompletableFuture()).isNotDone();
  }

  @Test
  void aNodeThatASupersededClusterTookInRegistersForNoOtherOne() {
    Members deaf =
        new ForwardingMembers(storage.members()) {
          @Override
          public Standing beat(Holder self, long generation, Duration clockAhead) {
            return new Standing.Current();
          }

          @Override
          public Map<Holder, Long> beats() {
            return Map.of();
          }
        };
    ClusterRuntime paused = start(at("127.0.0.1", 0), with(deaf), ConfigFactory.empty());
    assertThat(paused.up()).succeedsWithin(SOON);
    String address = paused.system().address().hostPort();
    Holder founder = new Holder("tenure@127.0.0.1:1", 1);
    storage.members().seek(founder, roster -> new Formation.Found(2, Formation.Reason.ALL_SILENT));
    Members misled =
        new ForwardingMembers(storage.members()) {
          @Override
          public Formation seek(Holder self, Function<Roster, Formation> decision) {
            super.seek(self, decision);
            return new Formation.Join(2, List.of(address));
          }
        };

    ClusterRuntime taken = start(at("127.0.0.1", 0), with(misled), ConfigFactory.empty());

    end(taken);
    assertThat(storage.members().beats()).containsOnlyKeys(founder);
  }

  @Test
  void aSecondProcessAtAnAddressIsRefusedAndTheFirstGoesOn() {
    ClusterRuntime first = first();
    int port = Cluster.get(first.system()).selfAddress().getPort().orElseThrow();
    Holder before = row(first).node();

    // As on another machine: it can listen, because the address means that machine there.
    ClusterRuntime second =
        start(
            at("127.0.0.1", port),
            storage,
            ConfigFactory.parseString(
                "pekko.remote.artery.bind.port = " + CountingCluster.freePort()));

    assertThat(second.up())
        .failsWithin(SOON)
        .withThrowableThat()
        .havingCause()
        .isInstanceOf(AddressConflictError.class)
        .withMessageContaining("127.0.0.1:" + port)
        .withMessageContaining("tenure.node.port");
    end(second);
    assertThat(row(first).node()).isEqualTo(before);
    assertThat(storage.members().roster().generation()).isEqualTo(1);
    assertThat(first.terminated().toCompletableFuture()).isNotDone();
  }

  @Test
  void aNodeThatIsRestartedAtItsAddressIsNotTakenForAnother() {
    storage.prepare(at("127.0.0.1", 1).identity());
    int port = CountingCluster.freePort();
    Holder dead = new Holder("tenure@127.0.0.1:" + port, 1);
    storage.members().seek(dead, roster -> new Formation.Found(1, Formation.Reason.ALL_SILENT));

    ClusterRuntime again = start(at("127.0.0.1", port), storage, ConfigFactory.empty());

    assertThat(again.up()).succeedsWithin(SOON);
    assertThat(row(again).node().incarnation()).isNotEqualTo(dead.incarnation());
  }

  @Test
  void loopbackAndOtherAddressesDoNotMix() {
    first();

    ClusterRuntime other = start(at("node-b.example", 7301), storage, ConfigFactory.empty());

    assertThat(other.up())
        .failsWithin(SOON)
        .withThrowableThat()
        .havingCause()
        .isInstanceOf(AddressConflictError.class)
        .withMessageContaining("node-b.example:7301")
        .withMessageContaining("loopback")
        .withMessageContaining("tenure.node.host");
    end(other);
    assertThat(storage.members().roster().rows()).hasSize(1);
  }

  @Test
  void deadMembersWithAnotherKindOfAddressStandInNobodysWay() {
    storage.prepare(at("127.0.0.1", 1).identity());
    Holder dead = new Holder("tenure@node-b.example:7301", 1);
    storage.members().seek(dead, roster -> new Formation.Found(1, Formation.Reason.ALL_SILENT));

    ClusterRuntime node = start(at("127.0.0.1", 0), storage, ConfigFactory.empty());

    assertThat(node.up()).succeedsWithin(SOON);
    assertThat(storage.members().roster().generation()).isEqualTo(2);
  }
}
