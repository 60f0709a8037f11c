package dev.tenure.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.tenure.persistence.embedded.LocalPostgres;
import dev.tenure.persistence.memory.MemoryStorage;
import dev.tenure.persistence.postgres.PoolingProxy.Mode;
import dev.tenure.persistence.storage.CheckpointOwnership;
import dev.tenure.persistence.storage.CheckpointOwnershipCapabilityError;
import dev.tenure.persistence.storage.Durability;
import dev.tenure.persistence.storage.Finding;
import dev.tenure.persistence.storage.SchemaNotReadyError;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.persistence.storage.StorageNotDurableError;
import dev.tenure.persistence.storage.StorageNotSupportedError;
import dev.tenure.persistence.storage.StorageNotWritableError;
import dev.tenure.persistence.storage.StoreIdentity;
import dev.tenure.persistence.storage.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each storage that cannot keep the engine's promises is found, named and refused. */
class IncapableStorageTest {
  private static final CheckpointOwnership CAS = CheckpointOwnership.CAS_REQUIRED;
  private static final StoreIdentity SINGLE =
      new StoreIdentity(CheckpointOwnership.SINGLE_OWNER, 64);

  /** The folder of a server that is started in one way after the other. */
  private static Path folder;

  @BeforeAll
  static void createServer() {
    folder = TestDatabase.temporaryFolder("incapable");
    LocalPostgres.start(folder).close();
  }

  @AfterAll
  static void deleteServer() {
    TestDatabase.delete(folder);
  }

  private static void assertRefused(Storage storage, String... words) {
    assertThat(storage.capabilities().conditionalBatch()).isFalse();
    assertThatThrownBy(() -> CAS.require(storage))
        .isInstanceOf(CheckpointOwnershipCapabilityError.class)
        .hasMessageContaining("does not offer conditionalBatch")
        .hasMessageContaining("checkpoint-ownership is cas-required")
        .hasMessageContaining(storage.getClass().getName())
        .hasMessageContainingAll(words);
    assertThatCode(() -> CheckpointOwnership.SINGLE_OWNER.require(storage))
        .doesNotThrowAnyException();
  }

  private static void assertNotDurable(Storage storage, String... words) {
    assertThat(storage.capabilities().durable()).isFalse();
    assertThatThrownBy(() -> Durability.REQUIRED.require(storage))
        .isInstanceOf(StorageNotDurableError.class)
        .hasMessageContaining(storage.getClass().getName() + " is not durable")
        .hasMessageContainingAll(words);
    assertThatCode(() -> Durability.NOT_REQUIRED.require(storage)).doesNotThrowAnyException();
  }

  /** What the server has in its application schema: nothing, when nobody wrote. */
  private static int tables(Connection connection) throws SQLException {
    try (connection;
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace")) {
      row.next();
      return row.getInt(1);
    }
  }

  @Test
  void aStandbyIsRefusedAndNotMigrated() throws Exception {
    // With this file in its folder, a server is a hot standby that waits for its primary.
    Path signal = Files.createFile(folder.resolve("data").resolve("standby.signal"));
    try (LocalPostgres standby = LocalPostgres.start(folder);
        PostgresStorage storage = PostgresStorage.open(TestDatabase.settings(standby.url()))) {
      assertRefused(storage, "the server is a standby (pg_is_in_recovery() is true)");
      assertThat(storage.capabilities().readAfterWrite()).isFalse();
      assertThatThrownBy(() -> storage.prepare(SINGLE))
          .isInstanceOf(StorageNotWritableError.class)
          .hasMessageContaining("standby")
          .hasMessageContaining("primary");
      assertThat(tables(standby.connect(LocalPostgres.DATABASE, "postgres"))).isZero();
    } finally {
      Files.delete(signal);
    }
  }

  @Test
  void ofSeveralServersThePrimaryIsFound() throws Exception {
    Path signal = Files.createFile(folder.resolve("data").resolve("standby.signal"));
    try (LocalPostgres standby = LocalPostgres.start(folder);
        TestDatabase database = TestDatabase.empty()) {
      // Both have the database of this name.
      String url =
          "jdbc:postgresql://127.0.0.1:%d,127.0.0.1:%d/%s"
              .formatted(standby.port(), database.server().port(), LocalPostgres.DATABASE);
      try (PostgresStorage storage = PostgresStorage.open(TestDatabase.settings(url));
          Connection connection = storage.connections(ConnectionPurpose.COMMITS).getConnection();
          Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery("SELECT inet_server_port()")) {
        assertThat(storage.capabilities().findings()).isEmpty();
        row.next();
        assertThat(row.getInt(1)).isEqualTo(database.server().port());
      }
    } finally {
      Files.delete(signal);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"DATABASE {db}", "ROLE tenure_app IN DATABASE {db}"})
  void aReadOnlySessionIsRefusedAndNothingIsMigrated(String what) throws Exception {
    try (TestDatabase database = TestDatabase.empty()) {
      String target = what.replace("{db}", database.name());
      database.superuser("ALTER " + target + " SET default_transaction_read_only = on");
      try (PostgresStorage storage = PostgresStorage.open(database.settings())) {
        assertRefused(storage, "read-only", "default_transaction_read_only is on");
        assertThat(storage.capabilities().durable()).isTrue();
        assertThatThrownBy(() -> storage.prepare(SINGLE))
            .isInstanceOf(StorageNotWritableError.class)
            .hasMessageContaining("default_transaction_read_only");
      }
      assertThat(tables(database.owner())).isZero();
    }
  }

  @ParameterizedTest
  @CsvSource({"fsync, lose or damage everything", "full_page_writes, half written"})
  void aServerThatSkipsWritesIsNotDurable(String setting, String consequence) {
    try (LocalPostgres server = LocalPostgres.start(folder, Map.of(setting, "off"));
        PostgresStorage storage = PostgresStorage.open(TestDatabase.settings(server.url()))) {
      assertNotDurable(storage, setting + " is off", consequence);
      assertThatCode(() -> CAS.require(storage)).doesNotThrowAnyException();
    }
  }

  @Test
  void oneFindingIsAcceptedByItsNameAndTheOthersStillCount() {
    Map<String, String> settings = Map.of("full_page_writes", "off");
    try (LocalPostgres server = LocalPostgres.start(folder, settings);
        PostgresStorage storage = PostgresStorage.open(TestDatabase.settings(server.url()))) {
      Durability pages = Durability.accepting(Set.of(Finding.Kind.FULL_PAGE_WRITES_OFF));
      Durability sync = Durability.accepting(Set.of(Finding.Kind.FSYNC_OFF));
      assertThatCode(() -> pages.require(storage)).doesNotThrowAnyException();
      assertThat(pages.remarks(storage))
          .singleElement()
          .asString()
          .contains("[full-page-writes-off]");
      assertThatThrownBy(() -> sync.require(storage))
          .isInstanceOf(StorageNotDurableError.class)
          .hasMessageContaining("[full-page-writes-off]");
    }
  }

  @Test
  void whatIsNotSharedOrNotWritableCannotBeAccepted() {
    assertThat(Finding.Kind.acceptable())
        .extracting(Finding.Kind::configName)
        .containsExactly(
            "fsync-off",
            "synchronous-commit-off",
            "full-page-writes-off",
            "wal-compression-off",
            "log-position-hidden");
    assertThat(Finding.Kind.acceptable("standby")).isEmpty();
  }

  @Test
  void adviceIsGivenAndRefusesNothing() throws SQLException {
    try (TestDatabase database = TestDatabase.empty()) {
      database.superuser(
          "ALTER ROLE tenure_app IN DATABASE " + database.name() + " SET wal_compression = off");
      try (Connection superuser = database.server().connect(database.name(), "postgres");
          Statement statement = superuser.createStatement()) {
        statement.execute("REVOKE EXECUTE ON FUNCTION pg_current_wal_flush_lsn() FROM PUBLIC");
      }
      try (PostgresStorage storage = database.open()) {
        assertThat(storage.capabilities().findings())
            .extracting(Finding::kind)
            .containsExactly(Finding.Kind.WAL_COMPRESSION_OFF, Finding.Kind.LOG_POSITION_HIDDEN);
        CAS.require(storage);
        Durability.REQUIRED.require(storage);
        assertThat(storage.losses().mark()).isPresent();
        Durability accepted = Durability.accepting(Set.of(Finding.Kind.WAL_COMPRESSION_OFF));
        assertThat(accepted.remarks(storage))
            .singleElement()
            .asString()
            .contains("[log-position-hidden]");
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "CockroachDB CCL v25.2.1 (x86_64-pc-linux-gnu), CockroachDB",
    "PostgreSQL 15.12-YB-2025.1.0.0-b0 on x86_64, YugabyteDB",
    "PostgreSQL 8.0.2 on i686-pc-linux-gnu compiled by GCC (Redshift 1.0.1), Redshift",
    "something else, no PostgreSQL"
  })
  void aServerOfAnotherKindIsNamedAndNothingIsWritten(String version, String name)
      throws SQLException {
    try (TestDatabase database = TestDatabase.empty()) {
      database.execute("CREATE SCHEMA other");
      database.execute("GRANT USAGE ON SCHEMA other TO tenure_app");
      database.execute(
          "CREATE FUNCTION other.version() RETURNS text LANGUAGE sql AS $$ SELECT '%s'::text $$"
              .formatted(version));
      // The schema stands before that of the server's own functions.
      String url = database.url() + "?currentSchema=other,pg_catalog,public";
      try (PostgresStorage storage = PostgresStorage.open(TestDatabase.settings(url))) {
        assertRefused(storage, "the server is", name, "[foreign-server]");
        assertThatThrownBy(() -> storage.prepare(SINGLE))
            .isInstanceOf(StorageNotSupportedError.class)
            .hasMessageContaining(name);
      }
      assertThat(tables(database.owner())).isZero();
    }
  }

  @Test
  void aDatabaseWithCitusIsNamedAndNothingIsWritten() throws SQLException {
    try (TestDatabase database = TestDatabase.empty()) {
      database.execute("CREATE SCHEMA other");
      database.execute("GRANT USAGE ON SCHEMA other TO tenure_app");
      database.execute("CREATE VIEW other.pg_extension AS SELECT 'citus'::name AS extname");
      database.execute("GRANT SELECT ON other.pg_extension TO tenure_app");
      String url = database.url() + "?currentSchema=other,pg_catalog,public";
      try (PostgresStorage storage = PostgresStorage.open(TestDatabase.settings(url))) {
        assertRefused(storage, "the extension citus", "[citus]");
        assertThatThrownBy(() -> storage.prepare(SINGLE))
            .isInstanceOf(StorageNotSupportedError.class)
            .hasMessageContaining("citus");
      }
      assertThat(tables(database.owner())).isZero();
    }
  }

  @Test
  void everyPostgresThatIsOneIsTakenForOne() {
    for (String version :
        List.of(
            "PostgreSQL 18.6 on x86_64-pc-linux-gnu, compiled by gcc, 64-bit",
            "PostgreSQL 14.5 (EnterpriseDB Advanced Server 14.5.0) on x86_64-pc-linux-gnu",
            "PostgreSQL 17.5 on aarch64-unknown-linux-gnu, compiled by clang (Neon)"))
      assertThat(PostgresProbe.foreign(version)).as(version).isEmpty();
  }

  @Test
  void aServerThatAnswersBeforeItWroteIsNotDurable() {
    try (TestDatabase database = TestDatabase.empty()) {
      database.superuser(
          "ALTER ROLE tenure_app IN DATABASE " + database.name() + " SET synchronous_commit = off");
      try (PostgresStorage storage = PostgresStorage.open(database.settings())) {
        assertNotDurable(storage, "synchronous_commit is off");
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "TRANSACTION_LAST_USED_FIRST, 0",
    "TRANSACTION_LAST_USED_FIRST, 1",
    "TRANSACTION_LAST_USED_FIRST, 5",
    "TRANSACTION_ROUND_ROBIN, 1",
    "TRANSACTION_ROUND_ROBIN, 2",
    "TRANSACTION_ROUND_ROBIN, 5"
  })
  void aTransactionPoolerIsFoundWhateverItsPolicy(Mode mode, int warmServers) throws Exception {
    try (TestDatabase database = TestDatabase.empty();
        PoolingProxy proxy = PoolingProxy.start(database.server().port(), mode, warmServers);
        PostgresStorage storage =
            PostgresStorage.open(TestDatabase.settings(proxy.url(database.name())))) {
      assertRefused(storage, "pooler in transaction or statement mode", "pg_backend_pid()");
      assertThat(storage.capabilities().durable()).isTrue();
      // Migrations need a lock that is a session's: nothing is migrated through a pooler.
      assertThat(refusalOf(storage)).isInstanceOf(SchemaNotReadyError.class);
      assertThat(tables(database.owner())).isZero();
    }
  }

  /** On a busy machine the pooler may be slower than the pool waits; a later try reaches it. */
  private static Throwable refusalOf(PostgresStorage storage) {
    Throwable refusal = catchThrowable(() -> storage.prepare(SINGLE));
    for (int i = 1; i < 12 && refusal instanceof StorageException.Unavailable; i++)
      refusal = catchThrowable(() -> storage.prepare(SINGLE));
    return refusal;
  }

  @Test
  void aSessionPoolerIsAsGoodAsNone() throws IOException {
    try (TestDatabase database = TestDatabase.empty();
        PoolingProxy proxy = PoolingProxy.start(database.server().port(), Mode.SESSION, 3);
        PostgresStorage storage =
            PostgresStorage.open(TestDatabase.settings(proxy.url(database.name())))) {
      assertThat(storage.capabilities().findings()).isEmpty();
      assertThatCode(() -> CAS.require(storage)).doesNotThrowAnyException();
      storage.prepare(TestDatabase.IDENTITY);
    }
  }

  @Test
  void anOldServerIsNotCapable() {
    Finding old = PostgresProbe.oldServer(130_022).orElseThrow();
    assertThat(new PostgresProbe(true, true, List.of(old)).capabilities().conditionalBatch())
        .isFalse();
    assertThat(old.text()).contains("130022").contains("140000");
    assertThat(PostgresProbe.oldServer(140_000)).isEmpty();
    assertThat(new PostgresProbe(true, true, List.of()).capabilities().conditionalBatch()).isTrue();
  }

  @Test
  void aServerThatIsNotThereIsUnavailableAndItsPasswordStaysSecret() {
    PostgresSettings settings =
        PostgresSettings.of("jdbc:postgresql://127.0.0.1:1/none", "tenure_app", "s3cret");
    assertThatThrownBy(() -> PostgresStorage.open(settings))
        .isInstanceOf(StorageException.Unavailable.class)
        .hasMessageContaining("127.0.0.1:1")
        .hasMessageNotContaining("s3cret");
  }

  @Test
  void memoryWithoutConditionalBatchIsRefusedBeforeAnythingIsClaimed() {
    MemoryStorage storage = MemoryStorage.withoutConditionalBatch(InstantSource.system());
    assertRefused(storage, "it was made without conditionalBatch");
    assertNotDurable(storage, "the memory of one process");
    assertThat(storage.leases().find(0)).isEmpty();
  }

  @Test
  void memoryIsNotSharedSoItCannotServeACluster() {
    MemoryStorage storage = MemoryStorage.create(InstantSource.system());
    assertThat(storage.capabilities().conditionalBatch()).isTrue();
    assertThatThrownBy(() -> CAS.require(storage))
        .isInstanceOf(CheckpointOwnershipCapabilityError.class)
        .hasMessageContaining("does not offer shared")
        .hasMessageContaining("conditionalBatch")
        .hasMessageContaining("cas-required")
        .hasMessageContaining(MemoryStorage.class.getName());
  }
}
