package dev.tenure.bench.store;

import dev.tenure.bench.measure.BenchServer;
import dev.tenure.bench.measure.Options;
import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitId;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.embedded.LocalPostgres;
import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.lease.Leases.Claim;
import dev.tenure.persistence.lease.Membership;
import dev.tenure.persistence.merging.CommitPipeline;
import dev.tenure.persistence.postgres.PostgresSettings;
import dev.tenure.persistence.postgres.PostgresStorage;
import dev.tenure.persistence.storage.CheckpointOwnership;
import dev.tenure.persistence.storage.StoreIdentity;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * What commits notice of a migration that adds a column and an index to a large journal, in a
 * database of its own.
 */
final class OnlineChange {
  private static final UUID WRITER = UUID.randomUUID();
  private static final String DATABASE = "online";
  private static final int PAYLOAD_BYTES = 111;
  private static final long ROWS_AT_ONCE = 1_000_000;
  private static final Duration LEASE = Duration.ofHours(6);

  /** As a migration is written. */
  private static final String[] CHANGE = {
    "SET lock_timeout = '3s'",
    "ALTER TABLE event_journal ADD COLUMN added integer",
    "CREATE INDEX CONCURRENTLY event_journal_added ON event_journal (epoch, added)"
  };

  private final BenchServer server;
  private final Options options;
  private final long rows;
  private final int writers;
  private final Recorder latencies = new Recorder(TimeUnit.MINUTES.toNanos(2), 3);
  private final AtomicReference<String> failure = new AtomicReference<>();
  private final AtomicInteger running = new AtomicInteger();
  private volatile boolean stopped;

  /**
   * @param rows that the journal has before the change
   * @param writers that each commit when their last commit is durable
   */
  OnlineChange(BenchServer server, Options options, long rows, int writers) {
    this.server = server;
    this.options = options;
    this.rows = rows;
    this.writers = writers;
  }

  /** The figures of commits before the change and during it. */
  Map<String, Object> measure() {
    server.postgres().createDatabase(DATABASE);
    PostgresSettings settings =
        options.database(
            PostgresSettings.of(server.postgres().url(DATABASE), LocalPostgres.APPLICATION, "")
                .withMigration(LocalPostgres.OWNER, ""));
    try (PostgresStorage storage = PostgresStorage.open(settings)) {
      storage.prepare(new StoreIdentity(CheckpointOwnership.CAS_REQUIRED, 1));
      fill(storage);
      Holder self = new Holder("127.0.0.1:0", ProcessHandle.current().pid());
      Claim claim = storage.leases().acquire(0, self, Membership.UNKNOWN, LEASE);
      Fence fence = new Fence(0, ((Claim.Granted) claim).epoch(), self.incarnation());
      try (CommitPipeline pipeline = new CommitPipeline(storage, options.pipeline())) {
        for (int i = 0; i < writers; i++) next(pipeline, fence, "writer-" + i, 1);
        return figures();
      } finally {
        stopped = true;
      }
    }
  }

  /** The first workflow is committed as any other; the others are copies of its row. */
  private void fill(PostgresStorage storage) {
    Holder self = new Holder("127.0.0.1:0", 1);
    Claim claim = storage.leases().acquire(0, self, Membership.UNKNOWN, LEASE);
    Fence fence = new Fence(0, ((Claim.Granted) claim).epoch(), self.incarnation());
    storage.commit(List.of(commit(fence, "first", 1, UUID.randomUUID())));
    storage.leases().release(0, self, fence.epoch());
    for (long have = 1; have < rows; have += ROWS_AT_ONCE)
      server.execute(
          DATABASE,
          """
          INSERT INTO event_journal
          SELECT r.* FROM generate_series(1, %d) n, event_journal j,
            LATERAL jsonb_populate_record(
              j, jsonb_build_object('persistence_id', gen_random_uuid(), 'n', n)) r
          WHERE j.persistence_id = 'first'\
          """
              .formatted(Math.min(ROWS_AT_ONCE, rows - have)));
    server.execute(DATABASE, "VACUUM (FREEZE, ANALYZE) event_journal");
    server.checkpoint();
  }

  private static Commit commit(Fence fence, String workflow, long version, UUID writer) {
    CommitId id = new CommitId(workflow, version, writer);
    byte[] payload = new byte[PAYLOAD_BYTES];
    return new Commit(id, fence, "b", payload, List.of());
  }

  private void next(CommitPipeline pipeline, Fence fence, String workflow, long version) {
    long begun = System.nanoTime();
    running.incrementAndGet();
    pipeline
        .submit(commit(fence, workflow, version, WRITER))
        .whenComplete(
            (result, problem) -> {
              running.decrementAndGet();
              latencies.recordValue(System.nanoTime() - begun);
              if (!(result instanceof CommitResult.Committed))
                failure.compareAndSet(null, "a writer ends: " + result + ", " + problem);
              else if (!stopped) next(pipeline, fence, workflow, version + 1);
            });
  }

  private Map<String, Object> figures() {
    pass(options.warmupSeconds);
    latencies.reset();
    pass(options.seconds);
    Histogram before = latencies.getIntervalHistogram();
    long begun = System.nanoTime();
    server.execute(DATABASE, CHANGE);
    double seconds = (System.nanoTime() - begun) / 1e9;
    Histogram during = latencies.getIntervalHistogram();
    stopped = true;
    while (running.get() > 0) pass(1);
    if (failure.get() != null) throw new IllegalStateException(failure.get());
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("journal_rows", rows);
    figures.put("change_s", seconds);
    figures.put("commits_per_s_before", before.getTotalCount() / (double) options.seconds);
    figures.put("commits_per_s_during", during.getTotalCount() / seconds);
    figures.put("p99_ms_before", before.getValueAtPercentile(99) / 1e6);
    figures.put("p99_ms_during", during.getValueAtPercentile(99) / 1e6);
    figures.put("max_ms_during", during.getMaxValue() / 1e6);
    figures.put(
        "p99_to_before",
        (double) during.getValueAtPercentile(99) / before.getValueAtPercentile(99));
    return figures;
  }

  private static void pass(int seconds) {
    try {
      TimeUnit.SECONDS.sleep(seconds);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while measuring", e);
    }
  }
}
