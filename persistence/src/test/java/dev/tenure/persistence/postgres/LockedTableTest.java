package dev.tenure.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitId;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.commit.Writers;
import dev.tenure.persistence.lease.Leases.Claim;
import dev.tenure.persistence.merging.CommitPipeline;
import dev.tenure.persistence.merging.PipelineSettings;
import dev.tenure.persistence.merging.SignalDesk;
import dev.tenure.persistence.merging.SignalSettings;
import dev.tenure.persistence.signal.SignalWords;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.persistence.visibility.PageRequest;
import dev.tenure.persistence.visibility.WakeUp;
import dev.tenure.persistence.visibility.WorkflowChange;
import dev.tenure.persistence.visibility.WorkflowFilter;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Status;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Another session locks a table for longer than any client waits: a migration, an operator, a dump.
 */
@Timeout(240)
class LockedTableTest implements SignalWords, PostgresStoreUnderTest {
  /** Longer than each limit of the driver, so that backends would be left behind without ours. */
  private static final Duration HELD = Duration.ofSeconds(35);

  private static final int OWNERS = 16;

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

  /** Commits one version after the other, as an owner does, until it is told to stop or fenced. */
  private final class Owner implements Runnable {
    private final CommitPipeline pipeline;
    private final Fence fence;
    private final WorkflowId id;
    private final AtomicInteger committed = new AtomicInteger();
    private volatile boolean fenced;

    private Owner(CommitPipeline pipeline, Fence fence) {
      this.pipeline = pipeline;
      this.fence = fence;
      this.id = started(fence);
    }

    @Override
    public void run() {
      int incarnation = 0;
      long version = 2;
      while (!stopping && !fenced) {
        CommitResult result =
            pipeline.submit(commit(version, "i" + incarnation)).toCompletableFuture().join();
        switch (result) {
          case CommitResult.Committed done -> {
            version++;
            committed.incrementAndGet();
          }
          case CommitResult.Unknown unknown -> {
            incarnation++;
            version = newestOf(id) + 1;
          }
          case CommitResult.Fenced lost -> fenced = true;
          case CommitResult.Conflict conflict -> throw new AssertionError(conflict);
          case CommitResult.SignalNotTaken signal -> throw new AssertionError(signal);
        }
      }
    }

    private Commit commit(long version, String writer) {
      SideRow rests =
          new SideRow.WorkflowChanged(
              WorkflowChange.rests(id, Status.WAITING, Optional.of(Instant.EPOCH), 0));
      return new Commit(
          new CommitId(id.value(), version, Writers.named(writer)),
          fence,
          "Step",
          new byte[9],
          List.of(rests));
    }
  }

  private volatile boolean stopping;

  private long newestOf(WorkflowId id) {
    while (true) {
      try {
        return newest(id.value());
      } catch (StorageException.Unavailable e) {
        // The store is asked again, as an owner that recovers asks.
      }
    }
  }

  /** Does it again and again, whatever becomes of it. */
  private Runnable repeatedly(Runnable call) {
    return () -> {
      while (!stopping) {
        try {
          call.run();
        } catch (StorageException e) {
          // It was told in time.
        }
      }
    };
  }

  private record Seen(int backends, int waiting) {}

  private Seen look(Statement watch) throws SQLException {
    String sql =
        """
        SELECT count(*), count(*) FILTER (WHERE wait_event_type = 'Lock'), pg_sleep(0.05)
        FROM pg_stat_activity WHERE datname = '%s' AND application_name LIKE 'tenure%%'
        """
            .formatted(database.name());
    try (ResultSet row = watch.executeQuery(sql)) {
      row.next();
      return new Seen(row.getInt(1), row.getInt(2));
    }
  }

  private void awaitProgress(List<Owner> owners) {
    List<Integer> before = owners.stream().map(one -> one.committed.get()).toList();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    for (int i = 0; i < owners.size(); i++) {
      while (owners.get(i).committed.get() < before.get(i) + 5) {
        if (System.nanoTime() > deadline)
          throw new AssertionError("%s does not go on".formatted(owners.get(i).id));
        Thread.onSpinWait();
      }
    }
  }

  /** Tries once, as the keeper of the leases does. */
  private boolean isTaken(int shard) {
    try {
      return storage.leases().acquire(shard, OLAF, gone -> true, TIME_TO_LIVE)
          instanceof Claim.Granted;
    } catch (StorageException.Unavailable e) {
      return false;
    }
  }

  @Test
  void aLockOfMinutesLeavesABoundedNumberOfBackendsAndStopsNoTakeover() throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        CommitPipeline pipeline = new CommitPipeline(storage, PipelineSettings.DEFAULT);
        SignalDesk desk =
            new SignalDesk(storage.signals(), SignalSettings.DEFAULT, () -> "not used");
        Connection locker = database.owner();
        Connection watching = database.server().connect(database.name(), "postgres");
        Statement lock = locker.createStatement();
        Statement watch = watching.createStatement()) {
      List<Owner> owners = new ArrayList<>();
      for (int i = 0; i < OWNERS; i++) owners.add(new Owner(pipeline, claim(freshShard(), NORA)));
      Owner lost = owners.getFirst();
      List<Future<?>> running = new ArrayList<>();
      for (Owner owner : owners) running.add(threads.submit(owner));
      AtomicInteger signals = new AtomicInteger();
      Runnable signalling =
          () ->
              desk.submit(SignalWords.signal(lost.id, "n", "s" + signals.incrementAndGet()))
                  .handle((result, failure) -> result)
                  .toCompletableFuture()
                  .join();
      Set<Integer> shards = Set.of(lost.fence.shard());
      List<Runnable> others =
          List.of(
              signalling,
              () -> storage.workflows().mustBeAwake(shards, WakeUp.Point.FIRST, 10),
              () -> storage.workflows().list(WorkflowFilter.ALL, PageRequest.first(10)),
              () -> storage.workflows().find(lost.id));
      for (Runnable each : others) running.add(threads.submit(repeatedly(each)));
      try {
        awaitProgress(owners);
        locker.setAutoCommit(false);
        lock.execute("LOCK TABLE workflow IN ACCESS EXCLUSIVE MODE");
        Seen most = watchFor(HELD, watch, lost.fence.shard());
        System.out.println("while the table was locked: " + most);
        assertThat(most.waiting).as("the lock was waited for").isPositive();
        assertThat(most.backends)
            .isLessThanOrEqualTo(
                PostgresSettings.DEFAULT_POOL_SIZE + ConnectionPurpose.LEASE_CONNECTIONS);
        locker.rollback();
        awaitProgress(owners.subList(1, owners.size()));
        assertThat(isTakenSoon(owners.get(1).fence.shard())).isTrue();
      } finally {
        locker.rollback();
        stopping = true;
      }
      for (Future<?> one : running) one.get(60, TimeUnit.SECONDS);
      assertThat(lost.fenced).as("the shard was taken over beside the lock").isTrue();
    }
  }

  /** Meanwhile the shard is taken over from an owner whose batches wait for the locked table. */
  private Seen watchFor(Duration time, Statement watch, int shard) throws SQLException {
    long until = System.nanoTime() + time.toNanos();
    Seen most = new Seen(0, 0);
    boolean taken = false;
    while (System.nanoTime() < until) {
      Seen now = look(watch);
      most = new Seen(Math.max(most.backends, now.backends), Math.max(most.waiting, now.waiting));
      if (now.waiting > 0 && !taken) taken = isTaken(shard);
    }
    assertThat(taken).as("the shard was taken over while the table was locked").isTrue();
    return most;
  }

  private boolean isTakenSoon(int shard) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (System.nanoTime() < deadline) if (isTaken(shard)) return true;
    return false;
  }
}
