package dev.tenure.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitId;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.commit.Writers;
import dev.tenure.persistence.embedded.LocalPostgres;
import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.lease.Leases.Claim;
import dev.tenure.persistence.lease.Membership;
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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The schema changes while workflows commit, and while another session keeps it from changing. */
@Timeout(180)
class OnlineMigrationTest {
  private static final Holder NORA = new Holder("nora:7355", 1);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final int JOURNAL_ROWS = 50_000;

  /** Enough to be sure that commits go on, however slow the machine is. */
  private static final int MORE_COMMITS = 20;

  /** A commit waits for 1.5 s for a lock, so one that queues behind this never gives up. */
  private static final Migrations.Limits LIMITS =
      new Migrations.Limits(MINUTE, Duration.ofMillis(300), MINUTE);

  private @TempDir Path folder;
  private TestDatabase database;
  private PostgresStorage storage;
  private Connection other;
  private Connection looking;
  private final AtomicBoolean over = new AtomicBoolean();
  private final AtomicLong committed = new AtomicLong();

  @BeforeEach
  void open() throws SQLException {
    database = TestDatabase.migrated();
    storage = database.open();
    other = database.owner();
    other.setAutoCommit(false);
    looking = database.owner();
  }

  @AfterEach
  void close() throws SQLException {
    over.set(true);
    other.close();
    looking.close();
    storage.close();
    database.close();
  }

  private void fillJournal() {
    database.execute(
        """
        INSERT INTO event_journal (sequence_number, epoch, shard, persistence_id, writer,
          event_ser_manifest, event_payload)
        SELECT 1, 1, 1, 'old-' || n, gen_random_uuid(), '', '\\x00'
        FROM generate_series(1, %d) n
        """
            .formatted(JOURNAL_ROWS));
  }

  /** Any failure of a commit ends it: one that waited for a lock beyond its limit, too. */
  private Future<Long> load() {
    Claim claim = storage.leases().acquire(1, NORA, Membership.UNKNOWN, Duration.ofMinutes(10));
    Fence fence = new Fence(1, ((Claim.Granted) claim).epoch(), NORA.incarnation());
    return Together.start(
        () -> {
          long version = 0;
          while (!over.get()) {
            CommitId id = new CommitId("workflow|w", ++version, Writers.named("writer"));
            Commit commit = new Commit(id, fence, "", new byte[1], List.of());
            assertThat(storage.commit(List.of(commit)))
                .containsExactly(new CommitResult.Committed(version));
            committed.set(version);
          }
          return version;
        });
  }

  private void awaitMoreCommits(Future<Long> load) throws SQLException {
    long enough = committed.get() + MORE_COMMITS;
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (committed.get() < enough) {
      assertThat(load).as("commits go on").isNotDone();
      assertThat(System.nanoTime()).as("commits go on").isLessThan(deadline);
      is("true");
    }
  }

  private Future<Boolean> migrating() {
    PostgresSettings settings = database.settings();
    Migrations migrations =
        new Migrations(
            PostgresPool.unpooled(settings, settings.migration().orElseThrow(), MINUTE),
            new RoleName(LocalPostgres.APPLICATION),
            LIMITS,
            List.of(Migrations.LOCATION, "filesystem:" + folder));
    return Together.start(
        () -> {
          migrations.migrate();
          return true;
        });
  }

  private boolean is(String condition) throws SQLException {
    try (Statement look = looking.createStatement();
        ResultSet row = look.executeQuery("SELECT (%s), pg_sleep(0.01)".formatted(condition))) {
      row.next();
      return row.getBoolean(1);
    }
  }

  private void await(String condition) throws SQLException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!is(condition))
      if (System.nanoTime() > deadline) throw new AssertionError("never: " + condition);
  }

  private void script(String name, String sql) throws IOException {
    Files.writeString(folder.resolve(name), sql);
  }

  private static final String EXCLUSIVE_WAITS =
      """
      EXISTS (SELECT FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock'
        AND relation = 'event_journal'::regclass)
      """;
  private static final String INVALID =
      """
      EXISTS (SELECT FROM pg_index WHERE indexrelid = to_regclass('event_journal_canary')
        AND NOT indisvalid)
      """;

  @Test
  void anIndexAndAColumnAreAddedWhileCommitsGoOn() throws Exception {
    fillJournal();
    script("V9001__column.sql", "ALTER TABLE event_journal ADD COLUMN canary integer;");
    script(
        "V9002__index.sql",
        """
        DROP INDEX CONCURRENTLY IF EXISTS event_journal_canary;
        CREATE INDEX CONCURRENTLY event_journal_canary ON event_journal (epoch, canary);
        """);
    Future<Long> load = load();
    awaitMoreCommits(load);
    try (Statement session = other.createStatement()) {
      session.execute("LOCK TABLE event_journal IN ACCESS SHARE MODE"); // as a dump does
    }
    // Two nodes of the new version start.
    List<Future<Boolean>> nodes = List.of(migrating(), migrating());
    for (int tries = 0; tries < 2; tries++) {
      await(EXCLUSIVE_WAITS);
      await("NOT " + EXCLUSIVE_WAITS);
      awaitMoreCommits(load);
    }
    other.rollback();

    for (Future<Boolean> node : nodes) assertThat(Together.result(node)).isTrue();
    awaitMoreCommits(load);
    over.set(true);
    assertThat(Together.result(load)).isEqualTo(committed.get());
    assertThat(is("to_regclass('event_journal_canary') IS NOT NULL AND NOT " + INVALID)).isTrue();
    assertThat(is("NOT EXISTS (SELECT FROM schema_history WHERE NOT success)")).isTrue();
  }

  @Test
  void whileAnIndexWaitsForAnOldTransactionCommitsGoOn() throws Exception {
    script(
        "V9002__index.sql",
        """
        DROP INDEX CONCURRENTLY IF EXISTS event_journal_canary;
        CREATE INDEX CONCURRENTLY event_journal_canary ON event_journal (epoch);
        """);
    Future<Long> load = load();
    try (Statement session = other.createStatement()) {
      session.execute("UPDATE meta SET value = value"); // a transaction that has written
    }
    Future<Boolean> node = migrating();
    await(INVALID);
    awaitMoreCommits(load);
    assertThat(node).isNotDone();
    other.rollback();
    assertThat(Together.result(node)).isTrue();
    over.set(true);
    assertThat(Together.result(load)).isEqualTo(committed.get());
    assertThat(is("NOT " + INVALID)).isTrue();
  }

  @Test
  void noMigrationWaitsForALockForLong() {
    assertThat(Migrations.Limits.DEFAULT.lock()).isLessThanOrEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void aNodeThatMissesNothingDoesNotWaitForOneThatBuildsAnIndex() throws Exception {
    script("V9001__column.sql", "ALTER TABLE event_journal ADD COLUMN canary integer;");
    try (Statement session = other.createStatement()) {
      session.execute("LOCK TABLE event_journal IN ACCESS SHARE MODE");
    }
    Future<Boolean> newer = migrating();
    await(EXCLUSIVE_WAITS);
    try (PostgresStorage older = PostgresStorage.open(database.settings())) {
      older.prepare(TestDatabase.IDENTITY);
      assertThat(newer).isNotDone();
    }
    other.rollback();
    assertThat(Together.result(newer)).isTrue();
  }

  @Test
  void whatIsLeftOfABrokenBuildIsRebuiltAtTheNextStart() throws Exception {
    database.execute("CREATE INDEX event_journal_canary ON event_journal (epoch)");
    database.execute("CREATE INDEX event_journal_canary_ccnew ON event_journal (epoch)");
    try (Connection superuser = database.server().connect(database.name(), "postgres");
        Statement statement = superuser.createStatement()) {
      statement.execute(
          """
          UPDATE pg_index SET indisvalid = false
          WHERE indexrelid IN ('event_journal_canary'::regclass,
            'event_journal_canary_ccnew'::regclass)
          """);
    }
    assertThat(is(INVALID)).isTrue();
    assertThat(Together.result(migrating())).isTrue();
    assertThat(is("to_regclass('event_journal_canary') IS NOT NULL AND NOT " + INVALID)).isTrue();
    assertThat(is("to_regclass('event_journal_canary_ccnew') IS NULL")).isTrue();
  }
}
