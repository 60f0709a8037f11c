package dev.tenure.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.lease.Leases.Claim;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.persistence.storage.Together;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A process dies while its statement waits for a lock, and its backend holds a lease's row. */
@Timeout(120)
class VanishedClientTest implements PostgresStoreUnderTest {
  private TestDatabase database;
  private PostgresStorage storage;

  @BeforeEach
  void open() {
    database = TestDatabase.migrated();
    storage = database.open();
  }

  @AfterEach
  void close() {
    storage.close();
    database.close();
  }

  @Override
  public Storage storage() {
    return storage;
  }

  @Override
  public Connection owner() {
    return database.owner();
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static int backend(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT pg_backend_pid()")) {
      row.next();
      return row.getInt(1);
    }
  }

  private static void awaitCount(Statement look, String from, int wanted) throws SQLException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (true) {
      try (ResultSet row = look.executeQuery("SELECT count(*), pg_sleep(0.02) FROM " + from)) {
        row.next();
        if (row.getInt(1) == wanted) return;
      }
      if (System.nanoTime() > deadline)
        throw new AssertionError("not %d of %s".formatted(wanted, from));
    }
  }

  @Test
  void itsBackendEndsThoughItWaitsForALock() throws Exception {
    Fence old = claim(freshShard(), NORA);
    try (PoolingProxy network =
            PoolingProxy.start(database.server().port(), PoolingProxy.Mode.SESSION, 0);
        PostgresStorage dying =
            PostgresStorage.open(TestDatabase.settings(network.url(database.name())));
        Connection locker = database.owner();
        Connection looking = database.owner();
        Statement look = looking.createStatement()) {
      locker.setAutoCommit(false);
      execute(locker, "LOCK TABLE workflow IN ACCESS EXCLUSIVE MODE");
      Connection client = dying.connections(ConnectionPurpose.COMMITS).getConnection();
      int backend = backend(client);
      client.setAutoCommit(false);
      // Only the look at the client can end this session.
      execute(client, "SET lock_timeout = 0; SET statement_timeout = 0");
      execute(
          client,
          "SELECT 1 FROM shard_lease WHERE shard = %d FOR KEY SHARE".formatted(old.shard()));
      Future<Boolean> waiting =
          Together.start(
              () -> {
                execute(client, "SELECT 1 FROM workflow");
                return true;
              });
      awaitCount(look, "pg_locks WHERE NOT granted AND pid = " + backend, 1);
      assertThatThrownBy(
              () -> storage.leases().acquire(old.shard(), OLAF, gone -> true, TIME_TO_LIVE))
          .as("while the client is there")
          .isInstanceOf(StorageException.Unavailable.class);
      network.close();
      awaitCount(look, "pg_stat_activity WHERE pid = " + backend, 0);
      assertThatThrownBy(() -> Together.result(waiting)).hasCauseInstanceOf(SQLException.class);
      assertThat(storage.leases().acquire(old.shard(), OLAF, gone -> true, TIME_TO_LIVE))
          .isInstanceOf(Claim.Granted.class);
      client.close();
    }
  }

  @Test
  void everySessionHasItsLimits() throws SQLException {
    for (ConnectionPurpose purpose : ConnectionPurpose.values()) {
      try (Connection session = storage.connections(purpose).getConnection()) {
        assertThat(setting(session, "lock_timeout"))
            .as("%s", purpose)
            .isEqualTo(purpose.lockLimit.toMillis());
        assertThat(setting(session, "statement_timeout"))
            .as("%s", purpose)
            .isEqualTo(purpose.statementLimit.toMillis());
        assertThat(setting(session, "client_connection_check_interval"))
            .as("%s", purpose)
            .isEqualTo(2_000);
        assertThat(setting(session, "idle_in_transaction_session_timeout"))
            .as("%s", purpose)
            .isEqualTo(5_000);
      }
    }
  }

  private static long setting(Connection session, String name) throws SQLException {
    try (Statement statement = session.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT setting FROM pg_settings WHERE name = '" + name + "'")) {
      row.next();
      return row.getLong(1);
    }
  }
}
