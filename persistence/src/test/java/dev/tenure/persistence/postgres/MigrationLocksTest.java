package dev.tenure.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.embedded.LocalPostgres;
import dev.tenure.persistence.storage.SchemaNotReadyError;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.persistence.storage.Together;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A migration that needs a lock which another session has. */
@Timeout(120)
class MigrationLocksTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Migrations.Limits PATIENT =
      new Migrations.Limits(MINUTE, Duration.ofMillis(300), MINUTE);

  private @TempDir Path folder;
  private TestDatabase database;
  private Connection other;
  private Statement session;
  private Connection looking;
  private Statement look;

  @BeforeEach
  void open() throws SQLException {
    database = TestDatabase.migrated();
    other = database.owner();
    other.setAutoCommit(false);
    session = other.createStatement();
    looking = database.owner();
    look = looking.createStatement();
  }

  @AfterEach
  void close() throws SQLException {
    other.close();
    looking.close();
    database.close();
  }

  private void script(String name, String sql) throws IOException {
    Files.writeString(folder.resolve(name), sql);
  }

  private Migrations migrations(Migrations.Limits limits) {
    PostgresSettings settings = database.settings();
    return new Migrations(
        PostgresPool.unpooled(settings, settings.migration().orElseThrow(), MINUTE),
        new RoleName(LocalPostgres.APPLICATION),
        limits,
        List.of(Migrations.LOCATION, "filesystem:" + folder));
  }

  private Future<Boolean> migrating() {
    return Together.start(
        () -> {
          migrations(PATIENT).migrate();
          return true;
        });
  }

  private boolean is(String condition) throws SQLException {
    try (ResultSet row = look.executeQuery("SELECT (%s), pg_sleep(0.01)".formatted(condition))) {
      row.next();
      return row.getBoolean(1);
    }
  }

  private void await(String condition) throws SQLException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!is(condition))
      if (System.nanoTime() > deadline) throw new AssertionError("never: " + condition);
  }

  private static final String ONE_WAITS =
      "EXISTS (SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'workflow'::regclass)";
  private static final String NONE_WAITS = "NOT " + ONE_WAITS;
  private static final String COLUMN_IS_THERE =
      """
      EXISTS (SELECT 1 FROM information_schema.columns
        WHERE table_name = 'workflow' AND column_name = 'added')
      """;

  @Test
  void itGivesUpSoLetsOthersPassAndTriesAgain() throws Exception {
    script("V9001__column.sql", "ALTER TABLE workflow ADD COLUMN added integer;");
    session.execute("LOCK TABLE workflow IN ACCESS SHARE MODE"); // as a dump does
    Future<Boolean> migrating = migrating();
    await(ONE_WAITS);
    await(NONE_WAITS);
    assertThat(migrating).as("it has not given up for good").isNotDone();
    await(ONE_WAITS);
    await(NONE_WAITS);
    other.rollback();
    assertThat(Together.result(migrating)).isTrue();
    assertThat(is(COLUMN_IS_THERE)).isTrue();
  }

  @Test
  void withoutPatienceItSaysWhyAndLeavesTheSchemaAsItWas() throws Exception {
    script("V9001__column.sql", "ALTER TABLE workflow ADD COLUMN added integer;");
    session.execute("LOCK TABLE workflow IN ACCESS SHARE MODE");
    Migrations.Limits impatient =
        new Migrations.Limits(MINUTE, Duration.ofMillis(100), Duration.ZERO);
    assertThatThrownBy(() -> migrations(impatient).migrate())
        .isInstanceOf(SchemaNotReadyError.class)
        .hasMessageContaining("V9001__column.sql")
        .hasMessageContaining("lock timeout");
    assertThat(is(COLUMN_IS_THERE)).isFalse();
    other.rollback();
    migrations(PATIENT).migrate();
    assertThat(is(COLUMN_IS_THERE)).isTrue();
  }

  /** An index that is built concurrently waits for the end of every transaction before it. */
  @Test
  void anIndexIsBuiltBesideOtherSessionsAndAgainWhenItFailed() throws Exception {
    script(
        "V9001__index.sql",
        """
        DROP INDEX CONCURRENTLY IF EXISTS workflow_started;
        CREATE INDEX CONCURRENTLY workflow_started ON workflow (started_at);
        """);
    session.execute(
        "INSERT INTO workflow (started_at, run_id, shard, type_version, id, type, status) "
            + "VALUES (now(), 'r', 1, 1, 'w', 't', 'running')");
    // Two nodes start: the one waits for its turn while the other builds the index.
    List<Future<Boolean>> nodes = List.of(migrating(), migrating());
    String invalid =
        "EXISTS (SELECT 1 FROM pg_index WHERE indexrelid = to_regclass('workflow_started')"
            + " AND NOT indisvalid)";
    String failed = "EXISTS (SELECT 1 FROM schema_history WHERE NOT success)";
    await(invalid);
    await(failed);
    other.rollback();
    for (Future<Boolean> node : nodes) assertThat(Together.result(node)).isTrue();
    assertThat(is("NOT " + invalid)).isTrue();
    assertThat(is("NOT " + failed)).isTrue();
    assertThat(is("to_regclass('workflow_started') IS NOT NULL")).isTrue();
  }
}
