package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.entry.Head;
import dev.tenure.persistence.entry.Snapshot;
import dev.tenure.persistence.snapshot.Snapshots;
import dev.tenure.persistence.snapshot.StoredSnapshot;
import dev.tenure.persistence.storage.ForwardingStorage;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.sharding.host.OwnerLimits;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Admission;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Decision;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Kernel;
import dev.tenure.workflow.kernel.StateSnapshot;
import dev.tenure.workflow.kernel.Wishes;
import dev.tenure.workflow.kernel.WorkflowState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Owners that begin with a snapshot come to the same as those that fold the whole history. */
class RecoveryWithSnapshotsTest {
  private static final WorkflowId ID = WorkflowId.of("w");
  private static final int STEPS = 100;

  /** Counts what an owner folds. */
  private static final class Folding implements Kernel {
    private int folded;

    @Override
    public Admission admit(WorkflowState state, Command command, Instant now) {
      return Kernel.standard().admit(state, command, now);
    }

    @Override
    public Decision decide(WorkflowState state, Command command, Wishes wishes, Instant now) {
      return Kernel.standard().decide(state, command, wishes, now);
    }

    @Override
    public WorkflowState evolve(WorkflowState state, Event event) {
      folded++;
      return Kernel.standard().evolve(state, event);
    }
  }

  /** Its snapshots cannot be read when the test says so. */
  private final class Unreadable extends ForwardingStorage {
    Unreadable(Storage inner) {
      super(inner);
    }

    @Override
    public Snapshots snapshots() {
      Snapshots real = super.snapshots();
      return new Snapshots() {
        @Override
        public boolean keep(StoredSnapshot snapshot) {
          return real.keep(snapshot);
        }

        @Override
        public Optional<StoredSnapshot> find(WorkflowId id) {
          if (unreadable) throw new StorageException.Unavailable("on purpose", null);
          return real.find(id);
        }

        @Override
        public Purged purge(Place after, int limit) {
          return real.purge(after, limit);
        }
      };
    }
  }

  private final Folding kernel = new Folding();
  private boolean unreadable;
  private final TestLoopNode node = new TestLoopNode(Unreadable::new);

  /** With snapshots after so many events. */
  private void snapshotsEvery(int events) {
    node.works(OwnerLimits.DEFAULT.withEventsPerSnapshot(events), kernel);
  }

  private static int sum(WorkflowContext ctx, int steps) {
    int sum = 0;
    for (int i = 0; i < steps; i++) {
      int at = i;
      sum += ctx.step("add", () -> at);
    }
    return sum;
  }

  /** Does its steps, waits for a signal, does more of them, and returns the sum. */
  private void begin(String id, int steps) {
    node.begin(
        id,
        ctx -> {
          int sum = sum(ctx, steps);
          ctx.awaitSignal("go", String.class);
          return sum + sum(ctx, 3);
        });
  }

  private static String sumOf(int steps) {
    return Integer.toString(steps * (steps - 1) / 2 + 3);
  }

  private Snapshot kept(String id) {
    StoredSnapshot stored = node.storage.snapshots().find(WorkflowId.of(id)).orElseThrow();
    return ((Snapshot.Reading.Read) Snapshot.decode(stored, node.storage.payloads())).snapshot();
  }

  /** Another node takes the workflow up; returns how many events it folds for that. */
  private int takenUp(String id) {
    kernel.folded = 0;
    node.dies();
    var described = node.workflows().describe(WorkflowId.of(id)).toCompletableFuture();
    node.quiet();
    assertThat(described).isCompleted();
    return kernel.folded;
  }

  private int events(String id) {
    return node.events(id).size();
  }

  @Test
  void codeIsReplayedAndOnlyTheRestIsFolded() {
    snapshotsEvery(20);
    begin("w", STEPS);
    int length = events("w");
    assertThat(length).isGreaterThan(2 * STEPS);
    assertThat(kept("w").state().events()).isGreaterThan(length - 25);
    // What is read before the look for a snapshot, and what follows it.
    assertThat(takenUp("w")).isBetween(1, 60);
    node.signal("w", "go", "on");
    assertThat(node.result("w")).isEqualTo(sumOf(STEPS));
  }

  @Test
  void withoutSnapshotsAllIsFolded() {
    snapshotsEvery(Integer.MAX_VALUE);
    begin("w", STEPS);
    assertThat(node.storage.snapshots().find(ID)).isEmpty();
    assertThat(takenUp("w")).isGreaterThan(2 * STEPS);
  }

  /** It had none, or was long before there were any. */
  @Test
  void aLongHistoryGetsItsFirstSnapshotWithTheNextCommit() {
    begin("w", STEPS);
    assertThat(node.storage.snapshots().find(ID)).isEmpty();
    snapshotsEvery(20);
    node.quiet();
    assertThat(node.storage.snapshots().find(ID)).isEmpty();
    node.workflows().pause(ID, "look");
    node.quiet();
    node.workflows().resume(ID);
    node.quiet();
    assertThat(node.storage.snapshots().find(ID)).isPresent();
    assertThat(takenUp("w")).isBetween(1, 60);
  }

  @Test
  void aShortHistoryIsReadAsItIsAndNobodyLooksForASnapshot() {
    snapshotsEvery(1_000);
    begin("w", 10);
    assertThat(takenUp("w")).isGreaterThanOrEqualTo(events("w"));
    node.signal("w", "go", "on");
    assertThat(node.result("w")).isEqualTo(sumOf(10));
  }

  @Test
  void aSnapshotThatIsDamagedIsPassedOverAndReplaced() {
    snapshotsEvery(20);
    begin("w", STEPS);
    StoredSnapshot good = node.storage.snapshots().find(ID).orElseThrow();
    byte[] bad = good.content().clone();
    bad[bad.length / 2] ^= 1;
    node.storage.snapshots().keep(new StoredSnapshot(ID, good.version() + 1, bad));
    assertThat(takenUp("w")).isGreaterThan(2 * STEPS);
    node.signal("w", "go", "on");
    assertThat(node.result("w")).isEqualTo(sumOf(STEPS));
  }

  /** An owner that was replaced while its commit was under way knows what nobody stored. */
  @Test
  void whatAnOwnerWroteOfCommitsThatDoNotStandHarmsNobody() {
    snapshotsEvery(20);
    begin("w", STEPS);
    Snapshot stale = kept("w");
    // As if it had gone on by itself, past what is stored.
    for (int ahead : new int[] {1, 5, 1_000})
      node.storage
          .snapshots()
          .keep(
              new Snapshot(
                      ID,
                      new Head(stale.head().completed(), stale.head().version() + ahead),
                      stale.link(),
                      stale.state(),
                      Optional.empty())
                  .encode());
    assertThat(takenUp("w")).isGreaterThan(2 * STEPS);
    node.signal("w", "go", "on");
    assertThat(node.result("w")).isEqualTo(sumOf(STEPS));
  }

  @Test
  void aSnapshotOfTheRunBeforeIsOfNoUse() {
    snapshotsEvery(20);
    AtomicReference<String> first = new AtomicReference<>();
    node.begin(
        "w",
        ctx -> {
          String run = ctx.info().runId();
          if (first.compareAndSet(null, run) || first.get().equals(run)) {
            sum(ctx, STEPS);
            ctx.awaitSignal("go", String.class);
            return ctx.continueAsNew(null);
          }
          int sum = sum(ctx, 6);
          ctx.awaitSignal("end", String.class);
          return sum;
        });
    long version = kept("w").head().version();
    node.signal("w", "go", "on");
    assertThat(kept("w").head().version()).isEqualTo(version);
    assertThat(takenUp("w")).as("the second run").isBetween(10, 25);
    node.signal("w", "end", "now");
    assertThat(node.result("w")).isEqualTo("15");
  }

  @Test
  void aForkHasItsOwnSnapshotsAndIsMadeFromTheWholeHistory() {
    snapshotsEvery(20);
    begin("w", STEPS);
    Coded.put(
        "f",
        ctx -> {
          int sum = sum(ctx, STEPS);
          ctx.awaitSignal("go", String.class);
          return sum + sum(ctx, 3);
        });
    node.workflows().fork(ForkRequest.of("w", "add#90", "f"));
    node.quiet();
    assertThat(kept("f").state().start().id()).isEqualTo(WorkflowId.of("f"));
    assertThat(kept("w").state().start().id()).isEqualTo(ID);
    // What it copied is one commit, and is read before the look for a snapshot.
    assertThat(takenUp("f")).isLessThan(events("f"));
    node.signal("f", "go", "on");
    assertThat(node.result("f")).isEqualTo(sumOf(STEPS));
  }

  @Test
  void whatIsKeptIsWhatTheHistorySays() {
    snapshotsEvery(7);
    begin("w", 30);
    Snapshot kept = kept("w");
    List<Event> events = node.events("w");
    WorkflowState state = WorkflowState.none();
    for (Event event : events.subList(0, (int) kept.state().events()))
      state = Kernel.standard().evolve(state, event);
    assertThat(kept.state()).isEqualTo(StateSnapshot.of(state));
  }

  /** Many events in few rows: nobody would look for its snapshot. */
  @Test
  void howeverOftenAWorkflowOfFewRowsIsTakenUpItGetsNoMoreSnapshots() {
    snapshotsEvery(40);
    node.begin(
        "w",
        ctx -> {
          for (int i = 0; i < STEPS; i++) {
            int at = i;
            ctx.async("b" + at, () -> ctx.awaitSignal("s" + at, String.class));
          }
          return ctx.awaitSignal("end", String.class);
        });
    assertThat(events("w")).isGreaterThan(STEPS);
    Optional<Long> first = node.storage.snapshots().find(ID).map(StoredSnapshot::version);
    for (int i = 0; i < 4; i++) {
      node.dies();
      if (i % 2 == 0) node.workflows().pause(ID, "look");
      else node.workflows().resume(ID);
      node.quiet();
      assertThat(node.storage.snapshots().find(ID).map(StoredSnapshot::version)).isEqualTo(first);
    }
  }

  @Test
  void aLookThatFailsIsFollowedByNoSnapshot() {
    snapshotsEvery(20);
    begin("w", STEPS);
    long version = kept("w").head().version();
    unreadable = true;
    for (int i = 0; i < 4; i++) {
      node.dies();
      if (i % 2 == 0) node.workflows().pause(ID, "look");
      else node.workflows().resume(ID);
      node.quiet();
      assertThat(kept("w").head().version()).isEqualTo(version);
    }
    unreadable = false;
    assertThat(takenUp("w")).isLessThan(60);
  }

  /** No owner commits as much as a snapshot has, but all of them together do. */
  @Test
  void aWorkflowWhoseOwnersDoLittleGetsSnapshotsAllTheSame() {
    snapshotsEvery(20);
    node.begin(
        "w",
        ctx -> {
          int sum = sum(ctx, STEPS);
          for (int i = 0; i < 30; i++) sum += ctx.awaitSignal("go", Integer.class);
          return sum;
        });
    long version = kept("w").head().version();
    for (int i = 0; i < 25; i++) {
      node.dies();
      node.signal("w", "go", i);
    }
    assertThat(kept("w").head().version()).isGreaterThan(version);
    assertThat(kept("w").state().events()).isGreaterThan(events("w") - 30L);
  }
}
