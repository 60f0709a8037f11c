package dev.tenure.persistence.signal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitId;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.commit.Writers;
import dev.tenure.persistence.embedded.LocalPostgres;
import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.lease.Leases;
import dev.tenure.persistence.lease.Membership;
import dev.tenure.persistence.merging.SignalDesk;
import dev.tenure.persistence.merging.SignalOutcomeUnknown;
import dev.tenure.persistence.merging.SignalSettings;
import dev.tenure.persistence.postgres.PostgresStorage;
import dev.tenure.persistence.signal.SignalResult.Accepted;
import dev.tenure.persistence.signal.SignalResult.Duplicate;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.persistence.storage.Together;
import dev.tenure.persistence.visibility.Attributes;
import dev.tenure.persistence.visibility.WorkflowRow;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.Status;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Signals while the database dies: each that was sent is there once, whatever its sender heard. */
class SignalFaultsTest {
  private static final int SENDERS = 16;
  private static final int WORKFLOWS = 4;
  private static final int ROUNDS = 3;
  private static final int PROGRESS = 200;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static Path folder;
  private static LocalPostgres server;
  private static PostgresStorage storage;
  private static Fence fence;

  @BeforeAll
  static void start() {
    folder = TestDatabase.temporaryFolder("signal-faults");
    server = LocalPostgres.start(folder);
    storage = PostgresStorage.open(TestDatabase.settings(server.url()));
    storage.prepare(TestDatabase.IDENTITY);
    Leases.Claim claim =
        storage.leases().acquire(1, new Holder("n:1", 1), Membership.UNKNOWN, Duration.ofHours(1));
    fence = new Fence(1, ((Leases.Claim.Granted) claim).epoch(), 1);
  }

  @AfterAll
  static void stop() {
    storage.close();
    server.stop();
    TestDatabase.delete(folder);
  }

  private interface Fault {
    void happen() throws Exception;
  }

  @Test
  void everySignalIsThereOnceAfterAKilledServer() throws Exception {
    surviving(
        "killed",
        () -> {
          server.kill();
          server.start();
        });
  }

  @Test
  void everySignalIsThereOnceAfterTerminatedBackends() throws Exception {
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

  /** One after the other, each until its outcome is known; returns the ids, in their order. */
  private static List<String> send(
      SignalDesk desk, WorkflowId to, String name, AtomicInteger done, AtomicInteger goal) {
    List<String> sent = new ArrayList<>();
    while (done.get() < goal.get()) {
      String id = name + "-" + sent.size();
      SignalRequest request =
          new SignalRequest(to.value(), "n", Optional.of(id), SignalWords.payload(id));
      SignalResult result = null;
      while (result == null) {
        try {
          result = desk.submit(request).toCompletableFuture().join();
        } catch (CompletionException e) {
          assertThat(e).hasCauseInstanceOf(SignalOutcomeUnknown.class);
        }
      }
      assertThat(result).isInstanceOfAny(Accepted.class, Duplicate.class);
      sent.add(id);
      done.incrementAndGet();
    }
    return sent;
  }

  private static void surviving(String name, Fault fault) throws Exception {
    List<WorkflowId> ids = new ArrayList<>();
    for (int i = 0; i < WORKFLOWS; i++) ids.add(started(name + "-" + i));
    AtomicInteger done = new AtomicInteger();
    AtomicInteger goal = new AtomicInteger(Integer.MAX_VALUE);
    List<Future<List<String>>> senders = new ArrayList<>();
    try (SignalDesk desk = new SignalDesk(storage.signals(), SignalSettings.DEFAULT, () -> "")) {
      for (int i = 0; i < SENDERS; i++) {
        WorkflowId to = ids.get(i % WORKFLOWS);
        String sender = name + "-sender-" + i;
        senders.add(Together.start(() -> send(desk, to, sender, done, goal)));
      }
      for (int round = 0; round < ROUNDS; round++) {
        awaitProgress(done);
        fault.happen();
      }
      awaitProgress(done);
      goal.set(0);
      for (int i = 0; i < SENDERS; i++) {
        List<String> sent = Together.result(senders.get(i));
        String prefix = name + "-sender-" + i + "-";
        List<String> waiting =
            everything(ids.get(i % WORKFLOWS)).stream()
                .filter(id -> id.startsWith(prefix))
                .toList();
        assertThat(waiting).isEqualTo(sent);
      }
    }
    System.out.println(name + ": " + done.get() + " signals");
  }

  private static void awaitProgress(AtomicInteger done) {
    int target = done.get() + PROGRESS;
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (done.get() < target) {
      assertThat(System.nanoTime()).as("the deadline for progress").isLessThan(deadline);
      LockSupport.parkNanos(1_000_000); // looks again; the deadline above ends it
    }
  }

  private static List<String> everything(WorkflowId id) {
    List<String> all = new ArrayList<>();
    long after = 0;
    while (true) {
      List<PendingSignal> page =
          storage
              .signals()
              .pending(List.of(new InboxRead(id, after, InboxRead.MAX_SIGNALS)))
              .getFirst();
      if (page.isEmpty()) return all;
      for (PendingSignal signal : page) all.add(signal.id());
      after = page.getLast().position();
    }
  }

  private static WorkflowId started(String id) {
    Instant now = Instant.parse("2026-03-01T09:00:00Z");
    WorkflowRow row =
        new WorkflowRow(
            new WorkflowId(id),
            1,
            "run",
            new WorkflowType("t", 1),
            Status.WAITING,
            Optional.empty(),
            now,
            Optional.empty(),
            Optional.empty(),
            Attributes.NONE);
    Commit commit =
        new Commit(
            new CommitId(id, 1, Writers.named("w")),
            fence,
            "s",
            new byte[1],
            List.of(new SideRow.WorkflowStarted(row)));
    assertThat(storage.commit(List.of(commit))).containsExactly(new CommitResult.Committed(1));
    return row.id();
  }
}
