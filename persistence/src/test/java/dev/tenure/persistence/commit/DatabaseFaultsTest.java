package dev.tenure.persistence.commit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.embedded.LocalPostgres;
import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.lease.Leases;
import dev.tenure.persistence.lease.Membership;
import dev.tenure.persistence.merging.CommitPipeline;
import dev.tenure.persistence.merging.PipelineSettings;
import dev.tenure.persistence.postgres.PostgresStorage;
import dev.tenure.persistence.storage.TestDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Commits while the database dies: what was acknowledged is there, and the pipeline goes on. */
class DatabaseFaultsTest {
  private static final Holder NORA = new Holder("nora:7355", 1);
  private static final int WRITERS = 64;
  private static final int SHARDS = 16;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static Path folder;
  private static LocalPostgres server;
  private static PostgresStorage storage;

  @BeforeAll
  static void start() {
    folder = TestDatabase.temporaryFolder("faults");
    server = LocalPostgres.start(folder);
    storage = PostgresStorage.open(TestDatabase.settings(server.url()));
    storage.prepare(TestDatabase.IDENTITY);
  }

  @AfterAll
  static void stop() {
    storage.close();
    server.stop();
    TestDatabase.delete(folder);
  }

  @Test
  void whatWasAcknowledgedSurvivesAKilledServer() throws Exception {
    surviving(
        "killed",
        () -> {
          server.kill();
          server.start();
        });
  }

  @Test
  void whatWasAcknowledgedSurvivesTerminatedBackends() throws Exception {
    surviving(
        "terminated",
        () -> {
          try (Connection c = server.connect("postgres", "postgres");
              Statement s = c.createStatement()) {
            s.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '"
                    + LocalPostgres.APPLICATION
                    + "'");
          }
        });
  }

  private interface Fault {
    void happen() throws Exception;
  }

  private static void surviving(String name, Fault fault) throws Exception {
    List<Fence> fences = claimAll();
    List<CommitWriter> writers = new ArrayList<>();
    try (CommitPipeline pipeline = new CommitPipeline(storage, PipelineSettings.DEFAULT)) {
      for (int i = 0; i < WRITERS; i++) {
        CommitWriter writer =
            new CommitWriter(pipeline, storage, name + "|" + i, fences.get(i % SHARDS));
        writers.add(writer);
        writer.start();
      }
      for (int round = 1; round <= 3; round++) {
        awaitProgress(writers);
        fault.happen();
      }
      awaitProgress(writers);
      for (CommitWriter writer : writers) writer.stop(PATIENCE);
    }
    long unknown = writers.stream().mapToLong(CommitWriter::unknownOutcomes).sum();
    System.out.println(name + ": " + unknown + " outcomes stayed unknown for the writer");
    for (CommitWriter writer : writers) {
      assertThat(stored(writer.id()))
          .as("every acknowledged version of %s, and nothing else", writer.id())
          .isEqualTo(writer.acknowledged());
    }
  }

  private static List<Fence> claimAll() {
    List<Fence> fences = new ArrayList<>();
    for (int shard = 0; shard < SHARDS; shard++) {
      Leases.Claim claim =
          storage.leases().acquire(shard, NORA, Membership.UNKNOWN, Duration.ofHours(1));
      fences.add(new Fence(shard, ((Leases.Claim.Granted) claim).epoch(), NORA.incarnation()));
    }
    return fences;
  }

  private static void awaitProgress(List<CommitWriter> writers) throws InterruptedException {
    for (CommitWriter writer : writers) writer.awaitProgress(PATIENCE);
  }

  private static List<Long> stored(String id) throws SQLException {
    try (Connection c = server.connect(LocalPostgres.DATABASE, "postgres");
        Statement s = c.createStatement();
        ResultSet rows =
            s.executeQuery(
                "SELECT sequence_number FROM event_journal WHERE persistence_id = '"
                    + id
                    + "' ORDER BY 1")) {
      List<Long> versions = new ArrayList<>();
      while (rows.next()) versions.add(rows.getLong(1));
      return versions;
    }
  }
}
