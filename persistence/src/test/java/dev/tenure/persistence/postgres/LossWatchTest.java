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
import dev.tenure.persistence.loss.LossReport;
import dev.tenure.persistence.signal.Signal;
import dev.tenure.persistence.signal.SignalResult;
import dev.tenure.persistence.signal.SignalWords;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.persistence.visibility.Attributes;
import dev.tenure.persistence.visibility.WorkflowRow;
import dev.tenure.persistence.watch.LossWatch;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A store that lacks what it had acknowledged is noticed. */
@Timeout(180)
class LossWatchTest {
  private static final Holder NORA = new Holder("nora:7355", 1);
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration RETENTION = Duration.ofDays(7);

  private static LossWatch watch(Storage storage) {
    LossWatch watch = new LossWatch(storage, "nora:7355", System::nanoTime);
    assertThat(watch.look()).isEmpty();
    return watch;
  }

  private static Fence claim(Storage storage) {
    Claim claim = storage.leases().acquire(1, NORA, Membership.UNKNOWN, Duration.ofMinutes(10));
    return new Fence(1, ((Claim.Granted) claim).epoch(), NORA.incarnation());
  }

  private static void store(Storage storage, Fence fence, long version, SideRow... rows) {
    CommitId id = new CommitId("workflow|w", version, Writers.named("writer"));
    Commit commit = new Commit(id, fence, "", new byte[1], List.of(rows));
    assertThat(untilItAnswers(() -> storage.commit(List.of(commit))))
        .containsExactly(new CommitResult.Committed(version));
  }

  private static SideRow started() {
    return new SideRow.WorkflowStarted(
        new WorkflowRow(
            WorkflowId.of("w"),
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

  private static void signal(Storage storage, String id) {
    Signal signal = SignalWords.signal(WorkflowId.of("w"), "paid", id);
    assertThat(untilItAnswers(() -> storage.signals().accept(List.of(signal), RETENTION)))
        .allSatisfy(result -> assertThat(result).isInstanceOf(SignalResult.Accepted.class));
  }

  private static <T> T untilItAnswers(Supplier<T> call) {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (true) {
      try {
        return call.get();
      } catch (StorageException e) {
        if (System.nanoTime() > deadline) throw e;
      }
    }
  }

  /** A look that finds the store away says nothing, and the next one looks more closely. */
  private static void assertThatNothingIsMissing(LossWatch watch, Storage storage) {
    for (int i = 0; i < 3; i++) {
      untilItAnswers(() -> storage.losses().mark());
      assertThat(watch.look()).isEmpty();
    }
    assertThat(storage.losses().reports()).isEmpty();
  }

  private static LossReport reported(LossWatch watch) {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (true) {
      Optional<LossReport> report = watch.look();
      if (report.isPresent()) return report.get();
      assertThat(System.nanoTime()).as("the loss is never noticed").isLessThan(deadline);
    }
  }

  @Test
  void aStandbyThatTakesOverWithoutTheLastTransactionsIsReportedWithWhatItLacks() throws Exception {
    Path folder = TestDatabase.temporaryFolder("loss");
    Path data = folder.resolve("data");
    Path copy = folder.resolve("copy");
    try (LocalPostgres server = LocalPostgres.start(folder)) {
      try (PostgresStorage storage = PostgresStorage.open(TestDatabase.settings(server.url()))) {
        storage.prepare(TestDatabase.IDENTITY);
      }
      server.stop();
      copy(data, copy);
      server.start();
      try (PostgresStorage storage = PostgresStorage.open(TestDatabase.settings(server.url()))) {
        LossWatch watch = watch(storage);
        Fence fence = claim(watch);
        store(watch, fence, 1, started());
        signal(watch, "first");
        store(watch, fence, 2);

        server.kill();
        server.start();
        assertThatNothingIsMissing(watch, storage);

        server.stop();
        TestDatabase.delete(data);
        copy(copy, data);
        Files.createFile(data.resolve("standby.signal"));
        server.start();
        promote(server);
        LossReport report = reported(watch);
        assertThat(report.text())
            .contains("3 of the last 3 answers that it gave to nora:7355")
            .contains("workflow|w: version 1", "workflow|w: version 2")
            .contains("workflow|w: signal paid, first");
        assertThat(untilItAnswers(storage.losses()::reports)).containsExactly(report);
        assertThat(watch.look()).as("it is reported once").isEmpty();
      }
    }
    TestDatabase.delete(folder);
  }

  private static void promote(LocalPostgres server) throws SQLException {
    try (Connection connection = server.connect("postgres", "postgres");
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT pg_promote(true, 60)")) {
      row.next();
      assertThat(row.getBoolean(1)).isTrue();
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList())
        Files.copy(file, to.resolve(from.relativize(file).toString()));
    }
    // A server insists on a folder that nobody else can read.
    Files.setPosixFilePermissions(to, Files.getPosixFilePermissions(from));
  }

  @Test
  void answersAndEpochsAndClustersAheadOfTheStoreAreReported() {
    try (TestDatabase database = TestDatabase.migrated();
        PostgresStorage storage = database.open()) {
      database.execute("UPDATE cluster_generation SET generation = 7");
      Fence fence = claim(storage);
      LossWatch watch = watch(storage);
      store(watch, fence, 1, started());
      store(watch, fence, 2);
      signal(watch, "kept");
      signal(watch, "lost");

      database.execute("DELETE FROM event_journal WHERE sequence_number = 2");
      database.execute("DELETE FROM signal_response WHERE signal_id = 'lost'");
      assertThat(watch.look()).as("nothing says that the server has changed").isEmpty();
      database.execute("UPDATE cluster_generation SET generation = 6");
      database.execute("SELECT setval('lease_epoch', 1, false)");

      LossReport report = watch.look().orElseThrow();
      assertThat(report.text().lines())
          .containsExactly(
              "the store lacks 2 of the last 4 answers that it gave to nora:7355",
              "the newest cluster is 6 and was 7",
              "the newest epoch of a lease is 0 and was " + fence.epoch(),
              "workflow|w: version 2",
              "workflow|w: signal paid, lost");
      assertThat(storage.losses().reports()).containsExactly(report);
    }
  }

  @Test
  void aHeadThatIsBehindItsOwnerIsReported() {
    try (TestDatabase database = TestDatabase.migrated();
        PostgresStorage storage = database.open()) {
      Fence fence = claim(storage);
      store(storage, fence, 1);
      store(storage, fence, 2);
      // What it read before is no answer that it remembers.
      LossWatch watch = watch(storage);
      database.execute("DELETE FROM event_journal WHERE sequence_number = 2");
      CommitId next = new CommitId("workflow|w", 3, Writers.named("writer"));
      assertThat(watch.commit(List.of(new Commit(next, fence, "", new byte[1], List.of()))))
          .containsExactly(new CommitResult.Conflict(2, 1));
      assertThat(watch.look().orElseThrow().text())
          .contains("workflow|w: version 2 was stored, and the newest is 1");
    }
  }

  @Test
  void brokenConnectionsAreNoLoss() {
    try (TestDatabase database = TestDatabase.migrated();
        PostgresStorage storage = database.open()) {
      LossWatch watch = watch(storage);
      Fence fence = claim(watch);
      store(watch, fence, 1, started());
      signal(watch, "first");
      database.superuser(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '%s'"
              .formatted(database.name()));
      store(watch, fence, 2);
      assertThatNothingIsMissing(watch, storage);
    }
  }

  @Test
  void theEngineCannotRemoveAReport() throws SQLException {
    try (TestDatabase database = TestDatabase.migrated();
        PostgresStorage storage = database.open();
        Connection application = database.application();
        Statement statement = application.createStatement()) {
      LossReport report = new LossReport(storage.time(), "nora:7355", "100 % of w\nis gone");
      storage.losses().record(report);
      storage.losses().record(report);
      assertThat(storage.losses().reports()).containsExactly(report);
      assertThatThrownBy(() -> statement.execute("DELETE FROM meta"))
          .isInstanceOf(SQLException.class);
      database.execute("DELETE FROM meta WHERE key LIKE 'went-back/%'");
      assertThat(storage.losses().reports()).isEmpty();
    }
  }
}
