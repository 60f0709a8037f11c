package dev.tenure.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitId;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.commit.Writers;
import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.lease.Leases.Claim;
import dev.tenure.persistence.lease.Membership;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.persistence.storage.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A fail-over: some servers take no writes any more, and others take them now. */
@Timeout(120)
class ReadOnlyServersTest {
  private static final Holder NORA = new Holder("nora:7355", 1);
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private TestDatabase database;

  @BeforeEach
  void createDatabase() {
    database = TestDatabase.migrated();
  }

  @AfterEach
  void dropDatabase() {
    database.close();
  }

  private static Commit step(long version, Fence fence) {
    return new Commit(
        new CommitId("w", version, Writers.named("writer")), fence, "", new byte[1], List.of());
  }

  private static Fence claim(PostgresStorage storage) {
    Claim claim = storage.leases().acquire(1, NORA, Membership.UNKNOWN, Duration.ofMinutes(10));
    return new Fence(1, ((Claim.Granted) claim).epoch(), NORA.incarnation());
  }

  private static long version(PostgresStorage storage, Fence fence, long version) {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (true) {
      try {
        List<CommitResult> results = storage.commit(List.of(step(version, fence)));
        return ((CommitResult.Committed) results.getFirst()).version();
      } catch (StorageException e) {
        if (System.nanoTime() > deadline) throw e;
      }
    }
  }

  private static Set<Integer> backends(PostgresStorage storage) throws SQLException {
    int size = PostgresSettings.DEFAULT_COMMIT_CONNECTIONS;
    Set<Integer> backends = new HashSet<>();
    List<Connection> all = new ArrayList<>();
    try {
      for (int i = 0; i < size; i++) {
        Connection one = storage.connections(ConnectionPurpose.COMMITS).getConnection();
        all.add(one);
        try (Statement statement = one.createStatement();
            ResultSet row = statement.executeQuery("SELECT pg_backend_pid()")) {
          row.next();
          backends.add(row.getInt(1));
        }
      }
    } finally {
      for (Connection one : all) one.close();
    }
    return backends;
  }

  @Test
  void aConnectionWhoseServerTakesNoWritesLeavesThePoolAtOnce() throws SQLException {
    try (PostgresStorage storage = database.open()) {
      Fence fence = claim(storage);
      assertThat(version(storage, fence, 1)).isEqualTo(1);
      Set<Integer> before = backends(storage);
      List<Connection> all = new ArrayList<>();
      for (int i = 0; i < before.size(); i++)
        all.add(storage.connections(ConnectionPurpose.COMMITS).getConnection());
      for (Connection one : all) {
        try (one;
            Statement statement = one.createStatement()) {
          // What a primary does to its sessions that becomes a standby and keeps them.
          statement.execute("SET default_transaction_read_only = on");
          assertThatThrownBy(
                  () -> statement.execute("UPDATE cluster_generation SET generation = 1"))
              .hasMessageContaining("read-only");
        }
      }
      assertThat(storage.commit(List.of(step(2, fence))))
          .containsExactly(new CommitResult.Committed(2));
      assertThat(backends(storage)).doesNotContainAnyElementsOf(before);
    }
  }

  @Test
  void whatConnectsToAServerWithoutWritesDoesNotComeIntoThePool() {
    try (PostgresStorage storage = database.open()) {
      Fence fence = claim(storage);
      assertThat(version(storage, fence, 1)).isEqualTo(1);
      readOnly("on");
      assertThatThrownBy(() -> storage.commit(List.of(step(2, fence))))
          .isInstanceOf(StorageException.class);
      readOnly("off");
      assertThat(version(storage, fence, 2)).isEqualTo(2);
    }
  }

  /** All sessions end, and every new one is as they are behind a name that leads to a standby. */
  private void readOnly(String value) {
    database.superuser(
        "ALTER DATABASE %s SET default_transaction_read_only = %s"
            .formatted(database.name(), value));
    database.superuser(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '%s'"
            .formatted(database.name()));
  }

  @Test
  void aUrlThatChoosesItsServersKeepsItsChoice() {
    String url = database.url() + "?targetServerType=any";
    assertThat(TestDatabase.settings(url).choosesServers()).isTrue();
    assertThat(database.settings().choosesServers()).isFalse();
    readOnly("on");
    try (PostgresStorage storage = PostgresStorage.open(TestDatabase.settings(url));
        Connection connection = storage.connections(ConnectionPurpose.WORK).getConnection()) {
      assertThat(connection.isValid(0)).isTrue();
    } catch (SQLException e) {
      throw new AssertionError("the url allows a server without writes", e);
    } finally {
      readOnly("off");
    }
  }
}
