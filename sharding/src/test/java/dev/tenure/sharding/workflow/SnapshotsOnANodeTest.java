package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.snapshot.Snapshots;
import dev.tenure.persistence.snapshot.StoredSnapshot;
import dev.tenure.persistence.storage.ForwardingStorage;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.sharding.host.JournalLimits;
import dev.tenure.sharding.host.OwnerLimits;
import dev.tenure.sharding.process.Await;
import dev.tenure.sharding.program.ListInterpreter;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Accounting;
import dev.tenure.workflow.kernel.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Snapshots where actors, threads and PostgreSQL are the real ones. */
class SnapshotsOnANodeTest {
  private static final int STEPS = 60;
  private static final ActivityDefinition<Integer, Integer> ADD =
      ActivityDefinition.of("add", Integer.class, Integer.class);
  private static final WorkflowId LONG = WorkflowId.of("long");

  private final AtomicInteger found = new AtomicInteger();

  /** The newest version of which a snapshot was made. */
  private final AtomicLong newestKept = new AtomicLong();

  /** The table of snapshots says nothing for as long as this is locked. */
  private final ReentrantLock table = new ReentrantLock();

  private TestDatabase database;

  @BeforeEach
  void open() {
    database = TestDatabase.migrated();
  }

  @AfterEach
  void close() {
    database.close();
  }

  private TestNode node() {
    return node(TestNode.SOON);
  }

  private TestNode node(Duration lookSilenceMax) {
    OwnerLimits limits = OwnerLimits.DEFAULT.withEventsPerSnapshot(20);
    return TestNode.start(
        database,
        new TestNode.Plan()
            .with(Coded.class, Coded::new)
            .with(ActivityRegistration.of(ADD, (call, number) -> number + 1))
            .storage(this::counting)
            .settings(
                given ->
                    given
                        .withLimits(limits)
                        .withJournal(
                            new JournalLimits(
                                JournalLimits.DEFAULT.recoveriesMax(),
                                JournalLimits.DEFAULT.readSilenceMax(),
                                lookSilenceMax,
                                JournalLimits.DEFAULT.commitSilenceMax()))
                        .withRest(Duration.ofMillis(50), 0)
                        .withInterpreters(List.of(new ListInterpreter()))));
  }

  private Storage counting(Storage inner) {
    return new ForwardingStorage(inner) {
      @Override
      public Snapshots snapshots() {
        Snapshots stored = super.snapshots();
        return new Snapshots() {
          @Override
          public boolean keep(StoredSnapshot snapshot) {
            newestKept.accumulateAndGet(snapshot.version(), Math::max);
            return stored.keep(snapshot);
          }

          @Override
          public Optional<StoredSnapshot> find(WorkflowId id) {
            table.lock();
            table.unlock();
            Optional<StoredSnapshot> one = stored.find(id);
            one.ifPresent(there -> found.incrementAndGet());
            return one;
          }

          @Override
          public Purged purge(Place after, int limit) {
            return stored.purge(after, limit);
          }
        };
      }
    };
  }

  /** Does its steps, and waits in the store until it gets the signal. */
  private void begin(TestNode node) {
    Coded.begin(
        node,
        "long",
        ctx -> {
          int sum = 0;
          for (int i = 0; i < STEPS; i++) {
            int at = i;
            sum += ctx.step("add", () -> at);
          }
          ctx.awaitSignal("go", String.class);
          return sum + ctx.step("add", () -> 1);
        });
    Await.until(
        "it has done its steps",
        TestNode.SOON,
        () -> node.describe("long").status() == Status.WAITING);
    Await.until("it left the memory", TestNode.SOON, () -> node.node.resident() == 0);
  }

  private static void assertSum(TestNode node) {
    Coded.signal(node, "long", "go", "on");
    assertThat(node.result("long")).isEqualTo(Integer.toString(STEPS * (STEPS - 1) / 2 + 1));
  }

  @Test
  void anOwnerGoesOnFromASnapshot() {
    try (TestNode node = node()) {
      begin(node);
      Await.until(
          "a snapshot is kept",
          TestNode.SOON,
          () -> node.storage.snapshots().find(LONG).isPresent());
      found.set(0);
      assertSum(node);
      assertThat(found.get()).isPositive();
    }
  }

  @Test
  void anotherNodeGoesOnFromASnapshot() {
    try (TestNode node = node()) {
      begin(node);
    }
    found.set(0);
    try (TestNode node = node()) {
      assertSum(node);
      assertThat(found.get()).isPositive();
    }
  }

  @Test
  void aStoreOfSnapshotsThatDoesNotAnswerKeepsNobodyFromGoingOn() {
    try (TestNode node = node(Duration.ofMillis(300))) {
      begin(node);
      long version = node.storage.newestVersions(List.of("long")).getFirst();
      table.lock();
      try {
        assertSum(node);
        assertThat(found).as("no look was answered").hasValue(0);
        assertThat(newestKept.get()).as("there may be one").isLessThanOrEqualTo(version);
      } finally {
        table.unlock();
      }
    }
  }

  /** The replay needs all that is recorded: damage is found wherever it is. */
  @Test
  void aSnapshotHidesNoDamageFromCode() {
    try (TestNode node = node()) {
      begin(node);
    }
    database.execute("CREATE TABLE kept AS SELECT * FROM event_journal");
    database.execute(
        "DELETE FROM event_journal" + " WHERE persistence_id = 'long' AND sequence_number = 15");
    try (TestNode node = node()) {
      assertThatThrownBy(() -> node.describe("long"))
          .hasCauseInstanceOf(WorkflowError.NotNow.class)
          .hasMessageContaining("history cannot be read");
      Await.until(
          "it is an incident",
          TestNode.SOON,
          () -> TestNode.await(node.workflows().incident(LONG)).isPresent());
      database.execute("INSERT INTO event_journal SELECT * FROM kept ON CONFLICT DO NOTHING");
      TestNode.await(node.workflows().resolveIncident(LONG, "restored"));
      assertSum(node);
    }
  }

  /** What it stands for is not read: damage there keeps nobody from going on. */
  @Test
  void aProgramThatRemembersGoesOnFromTheSnapshotAlone() {
    List<String> lines = new ArrayList<>(Collections.nCopies(STEPS, "activity add"));
    lines.add("signal go");
    lines.add("activity add");
    try (TestNode node = node()) {
      node.storage
          .definitions()
          .keep(ListInterpreter.list("adds", 1, lines.toArray(String[]::new)));
      TestNode.await(
          node.workflows()
              .start(
                  StartRequest.of("long", "adds", TestNode.json(0))
                      .program(ListInterpreter.KIND, Accounting.CODE)));
      Await.until(
          "it waits", TestNode.SOON, () -> node.describe("long").status() == Status.WAITING);
    }
    database.execute(
        "DELETE FROM event_journal" + " WHERE persistence_id = 'long' AND sequence_number = 15");
    found.set(0);
    try (TestNode node = node()) {
      Coded.signal(node, "long", "go", 41);
      assertThat(node.result("long")).isEqualTo("42");
      assertThat(found.get()).isPositive();
    }
  }
}
