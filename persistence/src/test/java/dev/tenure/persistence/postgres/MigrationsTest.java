package dev.tenure.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.embedded.LocalPostgres;
import dev.tenure.persistence.storage.CheckpointOwnership;
import dev.tenure.persistence.storage.OwnershipModeMismatchError;
import dev.tenure.persistence.storage.PersistedDataIncompatibleError;
import dev.tenure.persistence.storage.SchemaNotReadyError;
import dev.tenure.persistence.storage.ShardCountMismatchError;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.persistence.storage.StoreIdentity;
import dev.tenure.persistence.storage.TablesNotPlainError;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.persistence.storage.Together;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MigrationsTest {
  private TestDatabase database;

  @BeforeEach
  void createDatabase() {
    database = TestDatabase.empty();
  }

  @AfterEach
  void dropDatabase() {
    database.close();
  }

  private void start(PostgresSettings settings, StoreIdentity identity) {
    try (PostgresStorage storage = PostgresStorage.open(settings)) {
      storage.prepare(identity);
    }
  }

  private void start() {
    start(database.settings(), TestDatabase.IDENTITY);
  }

  /** An engine that may not migrate. */
  private PostgresSettings applicationOnly() {
    return PostgresSettings.of(database.url(), LocalPostgres.APPLICATION, "");
  }

  private List<String> query(String sql) {
    try (Connection connection = database.owner();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<String> found = new ArrayList<>();
      while (rows.next()) found.add(rows.getString(1));
      return found;
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  private List<String> meta() {
    return query("SELECT key || '=' || value FROM meta ORDER BY key");
  }

  @Test
  void theFirstStartMakesTheSchemaAndRecordsWhatTheStoreIs() {
    start();
    assertThat(meta())
        .containsExactly("checkpoint-ownership=cas-required", "format=1", "shards=64");
    assertThat(query("SELECT script FROM schema_history WHERE success ORDER BY installed_rank"))
        .containsExactly(
            "V1__journal_leases_members.sql",
            "V2__workflows_signals.sql",
            "V3__incidents_recoveries.sql",
            "V4__runs_payloads.sql",
            "V5__http.sql",
            "V6__signal_traces.sql",
            "V7__starts_again.sql",
            "V8__deployed_code.sql",
            "V9__snapshots.sql",
            "V10__definitions.sql",
            "V11__activities_tasks.sql",
            "V12__node_leases.sql",
            "V13__short_journal_rows.sql",
            "V14__open_and_closed_workflows.sql",
            "V15__engine_formats.sql",
            "V17__retention.sql",
            "R__grants.sql");
  }

  @Test
  void aLaterStartChangesNothing() {
    start();
    List<String> history = query("SELECT h::text FROM schema_history h");
    start();
    start(applicationOnly(), TestDatabase.IDENTITY);
    assertThat(query("SELECT h::text FROM schema_history h")).isEqualTo(history);
  }

  @Test
  void threeProcessesMayStartAtOnce() {
    Callable<Boolean> node =
        () -> {
          start();
          return true;
        };
    assertThat(Together.run(Collections.nCopies(3, node))).containsOnly(true);
    assertThat(query("SELECT script FROM schema_history"))
        .containsExactlyInAnyOrder(
            "V1__journal_leases_members.sql",
            "V2__workflows_signals.sql",
            "V3__incidents_recoveries.sql",
            "V4__runs_payloads.sql",
            "V5__http.sql",
            "V6__signal_traces.sql",
            "V7__starts_again.sql",
            "V8__deployed_code.sql",
            "V9__snapshots.sql",
            "V10__definitions.sql",
            "V11__activities_tasks.sql",
            "V12__node_leases.sql",
            "V13__short_journal_rows.sql",
            "V14__open_and_closed_workflows.sql",
            "V15__engine_formats.sql",
            "V17__retention.sql",
            "R__grants.sql");
    assertThat(meta()).hasSize(3);
  }

  @Test
  void ofFirstStartsWithDifferentIdeasOneDecidesAndTheOthersAreRefused() {
    List<Callable<String>> nodes = new ArrayList<>();
    for (int shards : List.of(10, 20, 30)) {
      nodes.add(
          () -> {
            try {
              start(
                  database.settings(), new StoreIdentity(CheckpointOwnership.CAS_REQUIRED, shards));
              return "shards=" + shards;
            } catch (ShardCountMismatchError refused) {
              return "refused";
            }
          });
    }
    List<String> results = Together.run(nodes);
    assertThat(results).filteredOn("refused"::equals).hasSize(2);
    assertThat(results).contains(meta().get(2));
  }

  @Test
  void aProcessWaitsWhileAnotherMigrates() throws Exception {
    try (Connection other = database.owner();
        Statement statement = other.createStatement()) {
      statement.execute("SELECT pg_advisory_lock(" + Migrations.LOCK + ")");
      var starting =
          Together.start(
              () -> {
                start();
                return true;
              });
      awaitOneWaitingForTheLock();
      assertThat(query("SELECT relname FROM pg_class WHERE relname = 'meta'")).isEmpty();
      statement.execute("SELECT pg_advisory_unlock(" + Migrations.LOCK + ")");
      assertThat(Together.result(starting)).isTrue();
    }
    assertThat(meta()).hasSize(3);
  }

  private void awaitOneWaitingForTheLock() {
    long deadline = System.nanoTime() + 20_000_000_000L;
    String waiting =
        "SELECT 1 FROM pg_stat_activity WHERE query = '%s' AND datname = '%s'"
            .formatted(Migrations.TAKE_TURN, database.name());
    while (query(waiting).isEmpty()) {
      assertThat(System.nanoTime()).isLessThan(deadline);
    }
  }

  @Test
  void withoutAMigrationUserTheSchemaMustBeThere() {
    assertThatThrownBy(() -> start(applicationOnly(), TestDatabase.IDENTITY))
        .isInstanceOf(SchemaNotReadyError.class)
        .hasMessageContaining("no tables of the engine")
        .hasMessageContaining("migration user");
    assertThat(query("SELECT relname FROM pg_class WHERE relname = 'meta'")).isEmpty();
  }

  @Test
  void withoutAMigrationUserTheSchemaMustBeCurrent() {
    start();
    database.execute("DELETE FROM schema_history WHERE version = '1'");
    assertThatThrownBy(() -> start(applicationOnly(), TestDatabase.IDENTITY))
        .isInstanceOf(SchemaNotReadyError.class)
        .hasMessageContaining("V1__journal_leases_members.sql");
  }

  @ParameterizedTest
  @ValueSource(strings = {"2", "99", "not a number", "1.5", ""})
  void aStoreInANewerOrUnknownFormatIsRefusedAndLeftAlone(String format) {
    start();
    database.execute("UPDATE meta SET value = '" + format + "' WHERE key = 'format'");
    List<String> before = query("SELECT h::text FROM schema_history h");
    for (PostgresSettings settings : List.of(database.settings(), applicationOnly())) {
      assertThatThrownBy(() -> start(settings, TestDatabase.IDENTITY))
          .isInstanceOf(PersistedDataIncompatibleError.class)
          .hasMessageContaining("has format '" + format + "'")
          .hasMessageContaining("formats up to 1");
    }
    assertThat(meta()).contains("format=" + format);
    assertThat(query("SELECT h::text FROM schema_history h")).isEqualTo(before);
  }

  @Test
  void whatANewerEngineAddedIsToleratedAndItsGrantsAreLeftAlone() {
    start();
    database.execute("CREATE TABLE from_the_future (id int)");
    database.execute("ALTER TABLE event_journal ADD COLUMN from_the_future int");
    database.execute("INSERT INTO meta VALUES ('from-the-future', 'yes')");
    database.execute(
        """
        INSERT INTO schema_history (installed_rank, version, description, type, script, checksum,
          installed_by, execution_time, success)
        VALUES (900, '900', 'future', 'SQL', 'V900__future.sql', 1, current_user, 1, true)\
        """);
    // The newer engine's grants have other words, so another checksum.
    database.execute("UPDATE schema_history SET checksum = 42 WHERE script = 'R__grants.sql'");
    List<String> before = query("SELECT h::text FROM schema_history h");
    assertThatCode(this::start).doesNotThrowAnyException();
    assertThatCode(() -> start(applicationOnly(), TestDatabase.IDENTITY))
        .doesNotThrowAnyException();
    assertThat(query("SELECT h::text FROM schema_history h")).isEqualTo(before);
  }

  @Test
  void anotherOwnershipModeOrNumberOfShardsIsRefused() {
    start();
    for (PostgresSettings settings : List.of(database.settings(), applicationOnly())) {
      assertThatThrownBy(
              () -> start(settings, new StoreIdentity(CheckpointOwnership.SINGLE_OWNER, 64)))
          .isInstanceOf(OwnershipModeMismatchError.class);
      assertThatThrownBy(
              () -> start(settings, new StoreIdentity(CheckpointOwnership.CAS_REQUIRED, 63)))
          .isInstanceOf(ShardCountMismatchError.class)
          .hasMessageContaining("created with 64 shards")
          .hasMessageContaining("configured with 63");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ALTER TABLE payload RENAME TO old; CREATE TABLE payload (LIKE old INCLUDING ALL) PARTITION"
            + " BY HASH (workflow_id)=payload is partitioned",
        "CREATE TABLE more () INHERITS (workflow)=workflow has child tables",
        "CREATE TABLE above (id text COLLATE \"C\" NOT NULL); ALTER TABLE workflow INHERIT above"
            + "=workflow is a part or a child"
      })
  void aStoreWhoseTablesAreNotPlainIsRefused(String change) {
    start();
    String[] parts = change.split("=");
    for (String statement : parts[0].split(";")) database.execute(statement);
    for (PostgresSettings settings : List.of(database.settings(), applicationOnly()))
      assertThatThrownBy(() -> start(settings, TestDatabase.IDENTITY))
          .isInstanceOf(TablesNotPlainError.class)
          .hasMessageContaining(parts[1]);
  }

  @Test
  void everyTableIsLookedAtForParts() {
    start();
    List<String> tables =
        query(
            "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <>"
                + " 'schema_history' AND tablename NOT LIKE 'workflow\\_closed%'");
    assertThat(tables)
        .isNotEmpty()
        .allSatisfy(one -> assertThat(PlainTables.NOT_PLAIN).contains("'" + one + "'"));
  }

  @Test
  void aDatabaseThatIsSomebodyElsesIsNotTaken() {
    database.execute("CREATE TABLE somebody_elses (id int)");
    assertThatThrownBy(this::start)
        .isInstanceOf(SchemaNotReadyError.class)
        .hasMessageContaining("non-empty schema");
    assertThat(query("SELECT relname FROM pg_class WHERE relname = 'meta'")).isEmpty();
  }

  @Test
  void aMigrationThatWasChangedAfterItRanIsFound() {
    start();
    database.execute("UPDATE schema_history SET checksum = 42 WHERE version = '1'");
    assertThatThrownBy(this::start)
        .isInstanceOf(SchemaNotReadyError.class)
        .hasMessageContaining("checksum");
  }

  @Test
  void anApplicationRoleThatIsNotThereIsNamed() {
    PostgresSettings settings = database.settings().withApplicationRole("nobody-made-me");
    assertThatThrownBy(() -> start(settings, TestDatabase.IDENTITY))
        .isInstanceOf(SchemaNotReadyError.class)
        .hasMessageContaining("nobody-made-me");
  }

  @Test
  void aNewApplicationRoleIsGrantedItsRights() {
    start();
    database.superuser("CREATE ROLE \"second.App-1\" LOGIN");
    PostgresSettings second =
        PostgresSettings.of(database.url(), "second.App-1", "")
            .withMigration(LocalPostgres.OWNER, "");
    assertThatCode(() -> start(second, TestDatabase.IDENTITY)).doesNotThrowAnyException();
  }

  @Test
  void theSchemaOfTheUrlIsUsed() {
    database.execute("CREATE SCHEMA \"Of Its Own\"");
    String url = database.url() + "?currentSchema=%22Of%20Its%20Own%22";
    start(TestDatabase.settings(url), TestDatabase.IDENTITY);
    assertThat(
            query(
                "SELECT schemaname FROM pg_tables WHERE tablename IN ('event_journal', 'meta',"
                    + " 'schema_history')"))
        .containsOnly("Of Its Own")
        .hasSize(3);
  }

  @Test
  void aSchemaThatIsNotThereIsNamed() {
    String url = database.url() + "?currentSchema=nowhere";
    assertThatThrownBy(() -> start(TestDatabase.settings(url), TestDatabase.IDENTITY))
        .isInstanceOf(SchemaNotReadyError.class)
        .hasMessageContaining("currentSchema");
  }

  @Test
  void aMigrationUserThatMayNotMigrateIsToldSo() {
    PostgresSettings settings = database.settings().withMigration(LocalPostgres.APPLICATION, "");
    assertThatThrownBy(() -> start(settings, TestDatabase.IDENTITY))
        .isInstanceOf(SchemaNotReadyError.class)
        .hasMessageContaining("permission denied");
  }

  @Test
  void aMigrationUserThatDoesNotExistIsUnavailableWithoutItsPassword() {
    PostgresSettings settings = database.settings().withMigration("nobody", "s3cret");
    assertThatThrownBy(() -> start(settings, TestDatabase.IDENTITY))
        .isInstanceOf(StorageException.class)
        .hasMessageNotContaining("s3cret");
  }
}
