package dev.tenure.persistence.merging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitId;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.commit.Writers;
import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.lease.Leases;
import dev.tenure.persistence.lease.Membership;
import dev.tenure.persistence.memory.MemoryStorage;
import dev.tenure.persistence.signal.ForwardingSignals;
import dev.tenure.persistence.signal.InboxRead;
import dev.tenure.persistence.signal.PendingSignal;
import dev.tenure.persistence.signal.Signal;
import dev.tenure.persistence.signal.SignalCapabilityError;
import dev.tenure.persistence.signal.SignalRequest;
import dev.tenure.persistence.signal.SignalResult;
import dev.tenure.persistence.signal.SignalResult.Accepted;
import dev.tenure.persistence.signal.SignalResult.Duplicate;
import dev.tenure.persistence.signal.SignalWords;
import dev.tenure.persistence.signal.Signals;
import dev.tenure.persistence.storage.FaultyStorage;
import dev.tenure.persistence.storage.FaultyStorage.Fault;
import dev.tenure.persistence.storage.FaultyStorage.Operation;
import dev.tenure.persistence.storage.SettableClock;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.persistence.visibility.Attributes;
import dev.tenure.persistence.visibility.WorkflowRow;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What the desk makes of a storage that fails, is slow, or refuses; the contract's crash windows.
 */
class SignalDeskTest {
  private static final WorkflowId ID = new WorkflowId("w");
  private static final SignalSettings SETTINGS =
      new SignalSettings(100, 1_000, 200, Duration.ofMillis(300), Duration.ofDays(7));

  private final SettableClock clock = new SettableClock();
  private final MemoryStorage memory = MemoryStorage.create(clock);
  private final FaultyStorage storage = new FaultyStorage(memory);
  private final AtomicInteger fresh = new AtomicInteger();
  private final SignalDesk desk =
      new SignalDesk(storage.signals(), SETTINGS, () -> "fresh-" + fresh.incrementAndGet());

  @BeforeEach
  void startTheWorkflow() {
    Leases.Claim claim =
        memory.leases().acquire(1, new Holder("n:1", 1), Membership.UNKNOWN, Duration.ofHours(1));
    Fence fence = new Fence(1, ((Leases.Claim.Granted) claim).epoch(), 1);
    WorkflowRow row =
        new WorkflowRow(
            ID,
            1,
            "run",
            new WorkflowType("t", 1),
            Status.WAITING,
            Optional.empty(),
            clock.instant(),
            Optional.empty(),
            Optional.empty(),
            Attributes.NONE);
    memory.commit(
        List.of(
            new Commit(
                new CommitId("w", 1, Writers.named("w1")),
                fence,
                "s",
                new byte[1],
                List.of(new SideRow.WorkflowStarted(row)))));
  }

  @AfterEach
  void close() {
    storage.heal();
    desk.close();
  }

  private static SignalRequest request(String id) {
    return new SignalRequest("w", "n", Optional.of(id), SignalWords.payload(id));
  }

  private SignalResult submit(String id) throws Exception {
    return await(desk.submit(request(id)));
  }

  private static SignalResult await(CompletionStage<SignalResult> stage) throws Exception {
    return stage.toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  private List<String> waiting() {
    return memory.signals().pending(List.of(new InboxRead(ID, 0, 1_000))).getFirst().stream()
        .map(PendingSignal::id)
        .toList();
  }

  @Test
  void whatComesDuringOneTransactionIsTheNextAndKeepsItsOrder() throws Exception {
    var gate = storage.hold(Operation.ACCEPT_SIGNALS);
    List<CompletionStage<SignalResult>> all = new ArrayList<>();
    all.add(desk.submit(request("s-0")));
    gate.awaitArrival();
    List<String> ids = new ArrayList<>(List.of("s-0"));
    for (int i = 1; i <= 90; i++) {
      ids.add("s-" + i);
      all.add(desk.submit(request("s-" + i)));
    }
    gate.open();
    for (var one : all) assertThat(await(one)).isInstanceOf(Accepted.class);
    assertThat(desk.transactions()).isEqualTo(2);
    assertThat(desk.judged()).isEqualTo(91);
    assertThat(waiting()).isEqualTo(ids);
  }

  @Test
  void largePayloadsShareATransactionOnlyUpToItsBytes() throws Exception {
    var gate = storage.hold(Operation.ACCEPT_SIGNALS);
    CompletionStage<SignalResult> first = desk.submit(request("first"));
    gate.awaitArrival();
    List<CompletionStage<SignalResult>> rest = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      rest.add(
          desk.submit(
              new SignalRequest(
                  "w", "n", Optional.of("l-" + i), SignalWords.payload("x".repeat(400)))));
    }
    gate.open();
    await(first);
    for (var one : rest) assertThat(await(one)).isInstanceOf(Accepted.class);
    assertThat(desk.transactions()).isEqualTo(4);
    assertThat(waiting()).containsExactly("first", "l-0", "l-1", "l-2", "l-3", "l-4", "l-5");
  }

  @Test
  void beforeAnythingIsStoredARetryIsAcceptedOnce() throws Exception {
    storage.fail(Operation.ACCEPT_SIGNALS, Fault.UNAVAILABLE, Fault.UNKNOWN_AND_LOST);
    assertThat(submit("s")).isInstanceOf(Accepted.class);
    assertThat(waiting()).containsExactly("s");
  }

  @Test
  void anAcceptanceWhoseAnswerWasLostIsFoundAgain() throws Exception {
    storage.fail(Operation.ACCEPT_SIGNALS, Fault.UNKNOWN_BUT_DONE);
    SignalResult result = submit("s");
    assertThat(result).isInstanceOf(Duplicate.class);
    assertThat(submit("s")).isEqualTo(result);
    assertThat(waiting()).containsExactly("s");
  }

  @Test
  void anOutcomeThatNobodyKnowsInTimeIsSaidToBeUnknown() throws Exception {
    storage.failAlways(Operation.ACCEPT_SIGNALS, Fault.UNKNOWN_BUT_DONE);
    assertThatThrownBy(() -> submit("s")).hasCauseInstanceOf(SignalOutcomeUnknown.class);
    storage.heal();
    // A process that died instead of answering leaves the same: the sender's retry finds out.
    assertThat(submit("s")).isInstanceOf(Duplicate.class);
    assertThat(waiting()).containsExactly("s");
  }

  @Test
  void aPayloadWithoutAnAnswerStaysIndeterminateForEverybody() throws Exception {
    submit("s");
    memory.loseAnswers("w", "s");
    for (int i = 0; i < 3; i++) {
      assertThat(submit("s")).isEqualTo(new SignalResult.Indeterminate(ID, "n", "s"));
    }
    assertThat(waiting()).containsExactly("s");
  }

  @Test
  void afterTheRetentionARetryIsANewSignal() throws Exception {
    submit("s");
    clock.advance(SETTINGS.retention().minusNanos(1_000));
    assertThat(submit("s")).isInstanceOf(Duplicate.class);
    clock.advance(Duration.ofNanos(1_000));
    assertThat(submit("s")).isInstanceOf(Accepted.class);
    assertThat(waiting()).containsExactly("s", "s");
  }

  @Test
  void withoutAnIdEveryRequestIsASignalOfItsOwn() throws Exception {
    SignalRequest request = new SignalRequest("w", "n", Optional.empty(), SignalWords.payload("x"));
    assertThat(await(desk.submit(request))).isInstanceOf(Accepted.class);
    assertThat(await(desk.submit(request))).isInstanceOf(Accepted.class);
    assertThat(waiting()).containsExactly("fresh-1", "fresh-2");
  }

  @Test
  void anInvalidRequestIsAnsweredAndSparesItsNeighbours() throws Exception {
    SignalRequest invalid = new SignalRequest("w", "", Optional.of("s"), SignalWords.payload("x"));
    assertThat(await(desk.submit(invalid))).isInstanceOf(SignalResult.InvalidSignal.class);
    assertThat(submit("s")).isInstanceOf(Accepted.class);
  }

  @Test
  void oneSignalThatTheStoreRefusesIsFoundAmongMany() throws Exception {
    SignalDesk picky =
        new SignalDesk(new RefusingSignals(memory.signals(), "s-37"), SETTINGS, () -> "x");
    try (picky) {
      List<CompletionStage<SignalResult>> all = new ArrayList<>();
      for (int i = 0; i < 90; i++) all.add(picky.submit(request("s-" + i)));
      for (int i = 0; i < 90; i++) {
        assertThat(await(all.get(i)))
            .isInstanceOf(i == 37 ? SignalResult.InvalidSignal.class : Accepted.class);
      }
    }
  }

  /** A database that cannot hold one of them, and says so of the whole batch. */
  private static final class RefusingSignals extends ForwardingSignals {
    private final String refused;

    RefusingSignals(Signals inner, String refused) {
      super(inner);
      this.refused = refused;
    }

    @Override
    public List<SignalResult> accept(List<Signal> signals, Duration retention) {
      if (signals.stream().anyMatch(signal -> signal.id().equals(refused))) {
        throw new StorageException.Refused("not this one", null);
      }
      return super.accept(signals, retention);
    }
  }

  @Test
  void oneMoreThanMayWaitIsRefusedAtOnce() throws Exception {
    var gate = storage.hold(Operation.ACCEPT_SIGNALS);
    List<CompletionStage<SignalResult>> all = new ArrayList<>();
    all.add(desk.submit(request("first")));
    gate.awaitArrival();
    for (int i = 0; i < SETTINGS.queueLimit(); i++) all.add(desk.submit(request("s-" + i)));
    assertThatThrownBy(() -> desk.submit(request("one too many")).toCompletableFuture().join())
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(SignalQueueFullError.class)
        .hasMessageContaining("200");
    gate.open();
    for (var one : all) assertThat(await(one)).isInstanceOf(Accepted.class);
  }

  @Test
  void withoutConditionalBatchOnlyIdempotentSignalsAreRefused() throws Exception {
    MemoryStorage incapable = MemoryStorage.withoutConditionalBatch(clock);
    try (SignalDesk other = new SignalDesk(incapable.signals(), SETTINGS, () -> "fresh")) {
      assertThatThrownBy(() -> await(other.submit(request("s"))))
          .hasCauseInstanceOf(SignalCapabilityError.class);
      SignalRequest without =
          new SignalRequest("w", "n", Optional.empty(), SignalWords.payload("x"));
      assertThat(await(other.submit(without))).isEqualTo(new SignalResult.UnknownWorkflow(ID));
    }
  }

  @Test
  void aClosedDeskFinishesWhatItTookAndTakesNoMore() throws Exception {
    CompletionStage<SignalResult> last = desk.submit(request("last"));
    desk.close();
    assertThat(await(last)).isInstanceOf(Accepted.class);
    assertThatThrownBy(() -> await(desk.submit(request("late"))))
        .hasCauseInstanceOf(SignalQueueFullError.class);
    assertThat(waiting()).containsExactly("last");
  }
}
