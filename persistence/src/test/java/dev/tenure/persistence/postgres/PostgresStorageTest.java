package dev.tenure.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitId;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.commit.Writers;
import dev.tenure.persistence.embedded.LocalPostgres;
import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.lease.Leases.Claim;
import dev.tenure.persistence.lease.Membership;
import dev.tenure.persistence.storage.CheckpointOwnership;
import dev.tenure.persistence.storage.Durability;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.StorageCapabilities;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.persistence.storage.Together;
import dev.tenure.persistence.visibility.Attributes;
import dev.tenure.persistence.visibility.WorkflowRow;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.Status;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is PostgreSQL's own beyond the contract: its server fails, and comes back. */
class PostgresStorageTest {
  private static final Holder NORA = new Holder("nora:7355", 1);
  private static final Duration TIME_TO_LIVE = Duration.ofMinutes(10);
  private static final Duration RECOVERY_LIMIT = Duration.ofSeconds(30);

  private static Fence claim(Storage storage, int shard) {
    Claim claim = storage.leases().acquire(shard, NORA, Membership.UNKNOWN, TIME_TO_LIVE);
    return new Fence(shard, ((Claim.Granted) claim).epoch(), NORA.incarnation());
  }

  private static Commit step(String id, long version, Fence fence, SideRow... rows) {
    CommitId commitId = new CommitId(id, version, Writers.named("w"));
    return new Commit(commitId, fence, "", new byte[1], List.of(rows));
  }

  private static SideRow start(String id) {
    return new SideRow.WorkflowStarted(
        new WorkflowRow(
            WorkflowId.of(id),
            1,
            "run",
            new WorkflowType("t", 1),
            Status.RUNNING,
            Optional.empty(),
            Instant.EPOCH,
            Optional.empty(),
            Optional.empty(),
            Attributes.NONE));
  }

  @Test
  void aDurablePrimaryOffersEverything() {
    try (TestDatabase database = TestDatabase.empty();
        PostgresStorage storage = database.open()) {
      assertThat(storage.capabilities())
          .isEqualTo(new StorageCapabilities(true, true, true, true, true, true, List.of()));
      CheckpointOwnership.CAS_REQUIRED.require(storage);
      Durability.REQUIRED.require(storage);
    }
  }

  @Test
  void aRowThatTheServerRefusesFailsItsBatchAndNothingOfItIsStored() {
    try (TestDatabase database = TestDatabase.migrated();
        PostgresStorage storage = database.open()) {
      Fence fence = claim(storage, 1);
      storage.commit(List.of(step("there", 1, fence, start("there"))));
      List<Commit> batch =
          List.of(
              step("plain", 1, fence),
              step("good", 1, fence, start("good")),
              step("bad", 1, fence, start("there")));
      assertThatThrownBy(() -> storage.commit(batch))
          .isInstanceOf(StorageException.Refused.class)
          .hasMessageContaining("workflow_pkey");
      assertThat(storage.newestVersions(List.of("plain", "good", "bad"))).containsOnly(0L);
      assertThat(storage.commit(batch.subList(0, 2))).containsOnly(new CommitResult.Committed(1));
    }
  }

  @Test
  void claimsAndBeatsDoNotQueueBehindABusyPool() throws SQLException {
    try (TestDatabase database = TestDatabase.migrated();
        PostgresStorage storage = PostgresStorage.open(database.settings().withPoolSize(3))) {
      storage.prepare(TestDatabase.IDENTITY);
      Fence fence = claim(storage, 1);
      List<Connection> busy = new ArrayList<>();
      try {
        for (ConnectionPurpose purpose : ConnectionPurpose.values())
          if (purpose != ConnectionPurpose.LEASES)
            busy.add(storage.connections(purpose).getConnection());
        assertThat(storage.leases().beat(NORA, TIME_TO_LIVE).held())
            .isEqualTo(Map.of(1, fence.epoch()));
        claim(storage, 2);
      } finally {
        for (Connection connection : busy) connection.close();
      }
    }
  }

  @Test
  void readCommittedIsUsedWhateverTheRoleIsSetTo() throws SQLException {
    try (TestDatabase database = TestDatabase.migrated()) {
      database.superuser(
          "ALTER DATABASE "
              + database.name()
              + " SET default_transaction_isolation = serializable");
      try (PostgresStorage storage = database.open();
          Connection connection = storage.connections(ConnectionPurpose.COMMITS).getConnection();
          Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery("SHOW transaction_isolation")) {
        row.next();
        assertThat(row.getString(1)).isEqualTo("read committed");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void noStatementIsCompiled(ConnectionPurpose purpose) throws SQLException {
    try (TestDatabase database = TestDatabase.migrated()) {
      database.superuser("ALTER DATABASE " + database.name() + " SET jit = on");
      try (PostgresStorage storage = database.open();
          Connection connection = storage.connections(purpose).getConnection();
          Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery("SHOW jit")) {
        row.next();
        assertThat(row.getString(1)).isEqualTo("off");
      }
    }
  }

  @Test
  void aProcessThatStopsInTheMiddleOfABatchDoesNotKeepItsShards() throws SQLException {
    try (TestDatabase database = TestDatabase.migrated();
        PostgresStorage storage = database.open()) {
      Fence old = claim(storage, 1);
      // What a process under SIGSTOP leaves: a transaction with the lease's row, and no next word.
      try (Connection stopped = storage.connections(ConnectionPurpose.COMMITS).getConnection();
          Statement statement = stopped.createStatement()) {
        stopped.setAutoCommit(false);
        statement.execute("SELECT 1 FROM shard_lease WHERE shard = 1 FOR KEY SHARE");
        Claim taken =
            untilItAnswers(
                () ->
                    storage
                        .leases()
                        .acquire(1, new Holder("olaf:7355", 2), gone -> true, TIME_TO_LIVE));
        assertThat(((Claim.Granted) taken).epoch()).isGreaterThan(old.epoch());
        assertThatThrownBy(stopped::commit).isInstanceOf(SQLException.class);
      }
    }
  }

  @Test
  void terminatedBackendsAreReplaced() {
    try (TestDatabase database = TestDatabase.migrated();
        PostgresStorage storage = database.open()) {
      Fence fence = claim(storage, 1);
      storage.commit(List.of(step("w", 1, fence)));
      database.superuser(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '%s'"
              .formatted(database.name()));
      assertThat(untilItAnswers(() -> storage.commit(List.of(step("w", 2, fence)))))
          .containsExactly(new CommitResult.Committed(2));
      assertThat(untilItAnswers(() -> storage.leases().beat(NORA, TIME_TO_LIVE).held()))
          .isEqualTo(Map.of(1, fence.epoch()));
    }
  }

  @Test
  void afterACrashOfTheServerEveryCallGoesOnByItself() {
    Path folder = TestDatabase.temporaryFolder("crash");
    try (LocalPostgres server = LocalPostgres.start(folder);
        PostgresStorage storage = PostgresStorage.open(TestDatabase.settings(server.url()))) {
      storage.prepare(TestDatabase.IDENTITY);
      Fence fence = claim(storage, 1);
      storage.commit(List.of(step("w", 1, fence)));
      server.kill();
      List<Callable<StorageException>> calls =
          List.of(
              () -> failureOf(() -> storage.commit(List.of(step("w", 2, fence)))),
              () -> failureOf(() -> storage.newestVersions(List.of("w"))),
              () -> failureOf(() -> storage.leases().find(1)));
      assertThat(Together.run(calls)).doesNotContainNull();
      server.start();
      assertThat(untilItAnswers(() -> storage.commit(List.of(step("w", 2, fence)))))
          .containsExactly(new CommitResult.Committed(2));
      assertThat(untilItAnswers(() -> storage.newestVersions(List.of("w")))).containsExactly(2L);
      assertThat(untilItAnswers(() -> storage.leases().find(1)).orElseThrow().epoch())
          .isEqualTo(fence.epoch());
    }
    TestDatabase.delete(folder);
  }

  private static StorageException failureOf(Runnable call) {
    try {
      call.run();
      return null;
    } catch (StorageException e) {
      return e;
    }
  }

  /** Calls again, as the engine does, while the storage says that it cannot be reached. */
  private static <T> T untilItAnswers(Supplier<T> call) {
    long deadline = System.nanoTime() + RECOVERY_LIMIT.toNanos();
    while (true) {
      try {
        return call.get();
      } catch (StorageException.Refused e) {
        throw e;
      } catch (StorageException e) {
        if (System.nanoTime() > deadline) throw e;
      }
    }
  }
}
