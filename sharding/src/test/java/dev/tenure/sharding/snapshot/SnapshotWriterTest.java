package dev.tenure.sharding.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.entry.Snapshot;
import dev.tenure.persistence.snapshot.Snapshots;
import dev.tenure.persistence.snapshot.StoredSnapshot;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Snapshots are written beside everything else, and nothing depends on one. */
class SnapshotWriterTest {
  private final StoredLife life = StoredLife.of("a life", 3);
  private final Deque<Runnable> tasks = new ArrayDeque<>();
  private final SnapshotSchedule schedule = new SnapshotSchedule(2);
  private final SnapshotWriter writer = new SnapshotWriter(life.storage.snapshots(), tasks::add);

  private long kept() {
    return life.storage.snapshots().find(StoredLife.ID).map(StoredSnapshot::version).orElse(0L);
  }

  @Test
  void theStateIsThatOfTheMomentAndTheRestFollowsLater() {
    writer.offer(schedule, 3, life::snapshot);
    life.commit();
    assertThat(kept()).isZero();
    tasks.remove().run();
    assertThat(kept()).isEqualTo(3);
    assertThat(writer.kept()).isEqualTo(1);
  }

  @Test
  void whileOneIsUnderWayNoOtherIsMade() {
    writer.offer(schedule, 3, life::snapshot);
    Supplier<Snapshot> second =
        () -> {
          throw new AssertionError("it is made in vain");
        };
    writer.offer(schedule, 3, second);
    tasks.remove().run();
    assertThat(tasks).isEmpty();
    life.commit();
    writer.offer(schedule, 3, life::snapshot);
    tasks.remove().run();
    assertThat(kept()).isEqualTo(4);
  }

  /** An owner that lost its tenure goes on in its memory for a while. */
  @Test
  void oneThatComesLateTakesNoPlace() {
    Snapshot old = life.snapshot();
    life.commit();
    writer.offer(schedule, 3, life::snapshot);
    tasks.remove().run();
    SnapshotWriter late = new SnapshotWriter(life.storage.snapshots(), Runnable::run);
    late.offer(new SnapshotSchedule(2), 3, () -> old);
    assertThat(kept()).isEqualTo(4);
    assertThat(late.kept()).isZero();
  }

  @Test
  void aFailureHarmsNobodyAndTheNextOneIsWritten() {
    Deque<RuntimeException> failures = new ArrayDeque<>();
    failures.add(new StorageException.Unavailable("away", null));
    failures.add(new IllegalStateException("a defect"));
    Snapshots failing =
        new Snapshots() {
          @Override
          public boolean keep(StoredSnapshot snapshot) {
            if (!failures.isEmpty()) throw failures.remove();
            return life.storage.snapshots().keep(snapshot);
          }

          @Override
          public Optional<StoredSnapshot> find(WorkflowId id) {
            throw new AssertionError("nobody reads");
          }

          @Override
          public Purged purge(Place after, int limit) {
            throw new AssertionError("nobody removes");
          }
        };
    SnapshotWriter through = new SnapshotWriter(failing, Runnable::run);
    Supplier<Snapshot> defect =
        () -> {
          throw new IllegalStateException("a defect");
        };
    through.offer(schedule, 3, life::snapshot);
    through.offer(schedule, 3, life::snapshot);
    through.offer(schedule, 3, defect);
    assertThat(kept()).isZero();
    through.offer(schedule, 3, life::snapshot);
    assertThat(kept()).isEqualTo(3);
  }

  @Test
  void oneThatIsTooLargeIsNotKept() {
    Snapshot small = life.snapshot();
    Payload large = Payload.of(new byte[SnapshotWriter.BYTES_MAX]);
    writer.offer(
        schedule,
        3,
        () ->
            new Snapshot(
                small.id(), small.head(), small.link(), small.state(), Optional.of(large)));
    tasks.remove().run();
    assertThat(kept()).isZero();
    assertThat(writer.madeInVain(small.id())).isEqualTo(small.state().events());
  }

  @Test
  void oneThatTheStoreRefusesWasMadeInVain() {
    Snapshot old = life.snapshot();
    life.commit();
    writer.offer(schedule, 4, life::snapshot);
    tasks.remove().run();
    assertThat(writer.madeInVain(old.id())).isZero();
    writer.offer(schedule, 3, () -> old);
    tasks.remove().run();
    assertThat(writer.madeInVain(old.id())).isEqualTo(old.state().events());
  }

  @Test
  void anErrorWhileOneIsMadeHarmsNobodyAndTheNextOneIsWritten() {
    writer.offer(
        schedule,
        3,
        () -> {
          throw new NoClassDefFoundError("on purpose");
        });
    assertThat(schedule.isDue(4)).as("it is not tried after each commit").isFalse();
    assertThatThrownBy(
            () ->
                writer.offer(
                    schedule,
                    3,
                    () -> {
                      throw new StackOverflowError("on purpose");
                    }))
        .isInstanceOf(StackOverflowError.class);
    schedule.stands(SnapshotWriter.BYTES_MAX);
    writer.offer(schedule, 3, life::snapshot);
    tasks.remove().run();
    assertThat(kept()).isEqualTo(3);
  }

  @Test
  void itIsDueAfterSoManyEventsAndAsManyBytesAsTheOneBeforeHad() {
    assertThat(schedule.isDue(1)).isFalse();
    assertThat(schedule.isDue(2)).isTrue();
    schedule.begins(2);
    schedule.size(100);
    schedule.stands(60);
    assertThat(schedule.isDue(4)).as("the journal has fewer bytes").isFalse();
    schedule.stands(40);
    assertThat(schedule.isDue(3)).as("too few events").isFalse();
    assertThat(schedule.isDue(4)).isTrue();
    schedule.begins(4);
    assertThat(schedule.isDue(6)).isFalse();
  }

  /** It does not know how large the one is that an owner before it may have written. */
  @Test
  void theFirstOfAnOwnerThatReadTheRunIsKeptWhenTheJournalHasAsManyBytes() {
    schedule.begins(1);
    schedule.stands(10);
    writer.offer(schedule, 3, life::snapshot);
    tasks.remove().run();
    assertThat(kept()).as("it is larger").isZero();
    assertThat(schedule.isDue(5)).isFalse();
    schedule.stands(life.snapshot().encode().content().length);
    assertThat(schedule.isDue(5)).isTrue();
    writer.offer(schedule, 5, life::snapshot);
    tasks.remove().run();
    assertThat(kept()).isEqualTo(3);
  }
}
