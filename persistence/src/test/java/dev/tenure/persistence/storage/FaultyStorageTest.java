package dev.tenure.persistence.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitId;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.commit.Writers;
import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.lease.Lease;
import dev.tenure.persistence.lease.Leases.Claim;
import dev.tenure.persistence.lease.Membership;
import dev.tenure.persistence.memory.MemoryStorage;
import dev.tenure.persistence.storage.FaultyStorage.Fault;
import dev.tenure.persistence.storage.FaultyStorage.Operation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The instrument itself is tested: a fault that does not happen would prove nothing. */
class FaultyStorageTest {
  private static final Holder NORA = new Holder("nora:7355", 1);
  private static final Duration TIME_TO_LIVE = Duration.ofMinutes(1);

  private final MemoryStorage memory = MemoryStorage.create(new SettableClock());
  private final FaultyStorage storage = new FaultyStorage(memory);
  private Fence fence;

  @BeforeEach
  void claim() {
    fence = new Fence(1, ((Claim.Granted) acquire(1)).epoch(), NORA.incarnation());
  }

  private Claim acquire(int shard) {
    return storage.leases().acquire(shard, NORA, Membership.UNKNOWN, TIME_TO_LIVE);
  }

  private Commit step(String id) {
    return new Commit(new CommitId(id, 1, Writers.named("w")), fence, "", new byte[1], List.of());
  }

  private CommitResult commit(String id) {
    return storage.commit(List.of(step(id))).get(0);
  }

  private long stored(String id) {
    return memory.newestVersions(List.of(id)).get(0);
  }

  @Test
  void eachFaultHappensOnceAndDoesWhatItSays() {
    storage.fail(
        Operation.COMMIT,
        Fault.UNAVAILABLE,
        Fault.UNKNOWN_AND_LOST,
        Fault.UNKNOWN_BUT_DONE,
        Fault.REFUSED);
    assertThatThrownBy(() -> commit("a")).isInstanceOf(StorageException.Unavailable.class);
    assertThat(stored("a")).isZero();
    assertThatThrownBy(() -> commit("a")).isInstanceOf(StorageException.OutcomeUnknown.class);
    assertThat(stored("a")).isZero();
    assertThatThrownBy(() -> commit("a")).isInstanceOf(StorageException.OutcomeUnknown.class);
    assertThat(stored("a")).isEqualTo(1);
    assertThatThrownBy(() -> commit("b")).isInstanceOf(StorageException.Refused.class);
    assertThat(stored("b")).isZero();
    assertThat(commit("b")).isEqualTo(new CommitResult.Committed(1));
    assertThat(storage.calls(Operation.COMMIT)).isEqualTo(5);
  }

  @Test
  void anUnknownOutcomeIsResolvedByTheSameBatch() {
    for (Fault fault : List.of(Fault.UNKNOWN_AND_LOST, Fault.UNKNOWN_BUT_DONE)) {
      storage.fail(Operation.COMMIT, fault);
      assertThatThrownBy(() -> commit(fault.name()))
          .isInstanceOf(StorageException.OutcomeUnknown.class);
      assertThat(commit(fault.name())).isEqualTo(new CommitResult.Committed(1));
      assertThat(stored(fault.name())).isEqualTo(1);
    }
  }

  @Test
  void aLastingFaultLastsUntilItIsHealed() {
    storage.failAlways(Operation.BEAT, Fault.UNAVAILABLE);
    storage.refuse(commit -> commit.id().persistenceId().equals("bad"));
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> storage.leases().beat(NORA, TIME_TO_LIVE).held())
          .isInstanceOf(StorageException.Unavailable.class);
    }
    assertThatThrownBy(() -> storage.commit(List.of(step("good"), step("bad"))))
        .isInstanceOf(StorageException.Refused.class);
    assertThat(stored("good")).isZero();
    assertThat(commit("good")).isEqualTo(new CommitResult.Committed(1));
    storage.heal();
    assertThat(storage.leases().beat(NORA, TIME_TO_LIVE).held())
        .isEqualTo(Map.of(1, fence.epoch()));
    assertThat(commit("bad")).isEqualTo(new CommitResult.Committed(1));
  }

  @Test
  void aClaimWhoseAnswerWasLostIsGrantedAndMadeAgain() {
    storage.fail(Operation.CLAIM, Fault.UNKNOWN_BUT_DONE);
    assertThatThrownBy(() -> acquire(2)).isInstanceOf(StorageException.OutcomeUnknown.class);
    long granted = memory.leases().find(2).map(Lease::epoch).orElseThrow();
    assertThat(((Claim.Granted) acquire(2)).epoch()).isGreaterThan(granted);
  }

  @Test
  void aHeldCallHasNotTakenEffectAndAHeldAnswerHas() {
    Gate before = storage.hold(Operation.COMMIT);
    Future<CommitResult> held = Together.start(() -> commit("held"));
    before.awaitArrival();
    assertThat(stored("held")).isZero();
    Gate after = storage.holdAnswers(Operation.COMMIT);
    before.open();
    after.awaitArrival();
    assertThat(stored("held")).isEqualTo(1);
    assertThat(held.isDone()).isFalse();
    after.open();
    assertThat(Together.result(held)).isEqualTo(new CommitResult.Committed(1));
  }

  @Test
  void everyOperationCanFail() {
    for (Operation operation : Operation.values()) {
      storage.fail(operation, Fault.UNAVAILABLE);
      assertThatThrownBy(() -> call(operation))
          .isInstanceOf(StorageException.Unavailable.class)
          .hasMessageContaining(operation.name());
      call(operation);
    }
  }

  private void call(Operation operation) {
    switch (operation) {
      case TIME -> storage.time();
      case COMMIT -> commit("every");
      case NEWEST_VERSIONS -> storage.newestVersions(List.of("every"));
      case READ -> storage.read(List.of());
      case CLAIM -> acquire(9);
      case BEAT -> storage.leases().beat(NORA, TIME_TO_LIVE);
      case RELEASE -> storage.leases().release(9, NORA, 1);
      case FIND -> storage.leases().find(9);
      case ACCEPT_SIGNALS -> storage.signals().accept(List.of(), TIME_TO_LIVE);
      case READ_INBOXES -> storage.signals().pending(List.of());
    }
  }
}
