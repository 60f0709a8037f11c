package dev.tenure.sharding.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitId;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.commit.Writers;
import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.lease.Leases.Claim;
import dev.tenure.persistence.lease.Membership;
import dev.tenure.persistence.memory.MemoryStorage;
import dev.tenure.persistence.recovery.Recoveries;
import dev.tenure.persistence.recovery.Recovery;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.persistence.visibility.Attributes;
import dev.tenure.persistence.visibility.WakeUp;
import dev.tenure.persistence.visibility.WorkflowRow;
import dev.tenure.sharding.recovery.Suspects.Leave;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.Status;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A claim does not wait until it is known what was at work when the node before was lost. */
class CountedLeasesTest {
  private static final Holder NORA = new Holder("nora:7355", 1);
  private static final Holder OLAF = new Holder("olaf:7355", 2);
  private static final Duration LEASE = Duration.ofHours(1);
  private static final int SHARD = 3;
  private static final int AT_WORK = 2_500;
  private static final Instant PAST = Instant.parse("2026-03-01T09:00:00Z");

  /** Fails at the page of that number, once. */
  private static final class Breaking implements Recoveries {
    private final Recoveries inner;
    private int pages;
    private int breaksAt = -1;

    private Breaking(Recoveries inner) {
      this.inner = inner;
    }

    @Override
    public Optional<WakeUp.Point> count(Beginning tenure, WakeUp.Point after, int limit) {
      if (pages++ == breaksAt) throw new StorageException.Unavailable("on purpose", null);
      return inner.count(tenure, after, limit);
    }

    @Override
    public List<Recovery> begin(Collection<Beginning> tenures) {
      return inner.begin(tenures);
    }

    @Override
    public int tryTogether(List<Recovery> group, int size) {
      return inner.tryTogether(group, size);
    }

    @Override
    public void outlived(List<Recovery> group) {
      inner.outlived(group);
    }
  }

  private final MemoryStorage storage = MemoryStorage.create(InstantSource.system());
  private final Breaking recoveries = new Breaking(storage.recoveries());
  private final Suspects suspects = new Suspects(id -> SHARD);
  private final CountedLeases leases =
      new CountedLeases(storage.leases(), recoveries, suspects, System::nanoTime);
  private final List<WorkflowId> told = new ArrayList<>();

  @AfterEach
  void close() {
    storage.close();
  }

  private void startAll() {
    Claim claim = storage.leases().acquire(SHARD, NORA, Membership.UNKNOWN, LEASE);
    Fence fence = new Fence(SHARD, ((Claim.Granted) claim).epoch(), NORA.incarnation());
    for (int i = 0; i < AT_WORK; i++) {
      WorkflowRow row =
          new WorkflowRow(
              WorkflowId.of("w" + i),
              SHARD,
              "run",
              new WorkflowType("t", 1),
              Status.RUNNING,
              Optional.of(PAST.plusMillis(i / 10)),
              PAST,
              Optional.empty(),
              Optional.empty(),
              Attributes.NONE);
      Commit commit =
          new Commit(
              new CommitId("w" + i, 1, Writers.named("w")),
              fence,
              "",
              new byte[1],
              List.of(new SideRow.WorkflowStarted(row)));
      assertThat(storage.commit(List.of(commit))).containsExactly(new CommitResult.Committed(1));
    }
  }

  private void takeOver(Holder holder) {
    assertThat(leases.acquire(SHARD, holder, gone -> true, LEASE))
        .isInstanceOf(Claim.Granted.class);
  }

  private List<Recovery> counted() {
    List<Recovery> all = new ArrayList<>();
    for (int i = 0; i < AT_WORK; i++) suspects.find(WorkflowId.of("w" + i)).ifPresent(all::add);
    return all;
  }

  @Test
  void theClaimIsGrantedFirstAndOwnersWaitUntilEverythingIsCounted() {
    startAll();
    takeOver(OLAF);
    assertThat(recoveries.pages).as("nothing is counted by the claim").isZero();
    WorkflowId asked = WorkflowId.of("w7");
    assertThat(suspects.leave(asked)).isEqualTo(Leave.WAIT);
    assertThat(suspects.isHeldBack(WorkflowId.of("w8"))).isTrue();
    leases.countLosses(Set.of(1, SHARD), told::add);
    assertThat(recoveries.pages).isGreaterThan(AT_WORK / Recoveries.COUNTED_AT_ONCE);
    assertThat(told).as("those that waited").containsExactly(asked);
    assertThat(suspects.leave(asked)).isEqualTo(Leave.GO_ON);
    assertThat(suspects.isHeldBack(WorkflowId.of("w8"))).isFalse();
    assertThat(counted()).hasSize(AT_WORK).allMatch(one -> one.losses() == 1);
  }

  @Test
  void aCountThatBreaksOffGoesOnAlsoUnderAnotherClaimAndCountsNothingTwice() {
    startAll();
    takeOver(OLAF);
    recoveries.breaksAt = 1;
    assertThatThrownBy(() -> leases.countLosses(Set.of(SHARD), told::add))
        .isInstanceOf(StorageException.Unavailable.class);
    assertThat(suspects.leave(WorkflowId.of("w7"))).isEqualTo(Leave.WAIT);
    takeOver(OLAF); // its own lease: no loss
    leases.countLosses(Set.of(SHARD), told::add);
    assertThat(counted()).hasSize(AT_WORK).allMatch(one -> one.losses() == 1);
    assertThat(told).containsExactly(WorkflowId.of("w7"));
    takeOver(NORA);
    leases.countLosses(Set.of(SHARD), told::add);
    assertThat(counted()).hasSize(AT_WORK).allMatch(one -> one.losses() == 2);
    assertThat(suspects.leave(WorkflowId.of("w7"))).isEqualTo(Leave.WAIT);
  }

  @Test
  void aShardThatWasLeftInOrderIsNotCounted() {
    startAll();
    storage
        .leases()
        .find(SHARD)
        .ifPresent(lease -> storage.leases().release(SHARD, NORA, lease.epoch()));
    takeOver(OLAF);
    assertThat(suspects.leave(WorkflowId.of("w7"))).isEqualTo(Leave.GO_ON);
    leases.countLosses(Set.of(SHARD), told::add);
    assertThat(recoveries.pages).isZero();
    assertThat(counted()).isEmpty();
  }

  private void giveBack(Holder holder) {
    leases.release(SHARD, holder, storage.leases().find(SHARD).orElseThrow().epoch());
  }

  /** Its caller may have given up, or the node drains: the next holder finds it left in order. */
  @Test
  void aLossWhoseTenureIsGivenBackAtOnceIsCountedAllTheSame() {
    startAll();
    takeOver(OLAF);
    giveBack(OLAF);
    int pages = recoveries.pages;
    assertThat(pages).isGreaterThan(AT_WORK / Recoveries.COUNTED_AT_ONCE);
    takeOver(NORA);
    leases.countLosses(Set.of(SHARD), told::add);
    assertThat(recoveries.pages).as("pages when nothing was lost").isEqualTo(pages);
    assertThat(counted()).hasSize(AT_WORK).allMatch(one -> one.losses() == 1);
    assertThat(suspects.leave(WorkflowId.of("w7"))).isEqualTo(Leave.GO_ON);
  }

  @Test
  void aShardWhoseLossCannotBeCountedIsGivenBackLater() {
    startAll();
    takeOver(OLAF);
    recoveries.breaksAt = 1;
    assertThatThrownBy(() -> giveBack(OLAF)).isInstanceOf(StorageException.Unavailable.class);
    assertThat(storage.leases().find(SHARD).orElseThrow().holder()).contains(OLAF);
    giveBack(OLAF);
    assertThat(storage.leases().find(SHARD).orElseThrow().holder()).isEmpty();
    takeOver(NORA);
    assertThat(counted()).hasSize(AT_WORK).allMatch(one -> one.losses() == 1);
  }
}
