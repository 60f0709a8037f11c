package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.signal.ForwardingSignals;
import dev.tenure.persistence.signal.InboxRead;
import dev.tenure.persistence.signal.PendingSignal;
import dev.tenure.persistence.signal.Signal;
import dev.tenure.persistence.signal.SignalRequest;
import dev.tenure.persistence.signal.SignalResult;
import dev.tenure.persistence.signal.Signals;
import dev.tenure.persistence.storage.ForwardingStorage;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Status;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Signals that the owner of a workflow in memory takes itself, and when it must not. */
class TakenSignalsTest {
  private static final AtomicReference<GatedStorage> GATED = new AtomicReference<>();
  private static final AtomicInteger TAKEN = new AtomicInteger();
  private static final AtomicInteger ACCEPTED = new AtomicInteger();
  private static final AtomicInteger READ = new AtomicInteger();
  private static TestNode node;

  /** Counts what signals cost. */
  private static final class Counting extends ForwardingStorage {
    private Counting(Storage inner) {
      super(inner);
    }

    @Override
    public List<CommitResult> commit(List<Commit> batch) {
      for (Commit commit : batch)
        for (SideRow row : commit.sideRows())
          if (row instanceof SideRow.SignalTaken) TAKEN.incrementAndGet();
      return super.commit(batch);
    }

    @Override
    public Signals signals() {
      return new ForwardingSignals(super.signals()) {
        @Override
        public List<SignalResult> accept(List<Signal> signals, Duration retention) {
          ACCEPTED.addAndGet(signals.size());
          return super.accept(signals, retention);
        }

        @Override
        public List<List<PendingSignal>> pending(List<InboxRead> reads) {
          READ.addAndGet(reads.size());
          return super.pending(reads);
        }
      };
    }
  }

  @BeforeAll
  static void start() {
    node =
        TestNode.start(
            new TestNode.Plan()
                .with(Coded.class, Coded::new)
                .storage(
                    inner -> {
                      GATED.set(new GatedStorage(new Counting(inner)));
                      return GATED.get();
                    }));
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  @BeforeEach
  void reset() {
    TAKEN.set(0);
    ACCEPTED.set(0);
    READ.set(0);
  }

  private static CompletionStage<SignalResult> send(String id, String name, String signalId) {
    return node.workflows()
        .signal(WorkflowId.of(id), name, TestNode.json(signalId), Optional.of(signalId));
  }

  private static long accepted(SignalResult result) {
    assertThat(result).isInstanceOf(SignalResult.Accepted.class);
    return ((SignalResult.Accepted) result).result().position();
  }

  /** Waits for so many signals of one name, one after the other, and returns what they said. */
  private static void waiting(String id, int count) {
    Coded.begin(
        node,
        id,
        ctx -> {
          StringBuilder all = new StringBuilder();
          for (int i = 0; i < count; i++) all.append(ctx.awaitSignal("go", String.class));
          return all.toString();
        });
  }

  /** As another node does, of which the owner has not heard. */
  private static void acceptElsewhere(String id, String name, String signalId) {
    SignalRequest request =
        new SignalRequest(id, name, Optional.of(signalId), TestNode.json(signalId));
    SignalResult result =
        node.storage
            .signals()
            .accept(List.of(request.toSignal(() -> "fresh")), Duration.ofDays(1))
            .getFirst();
    assertThat(result).isInstanceOf(SignalResult.Accepted.class);
  }

  @Test
  void aWaitingWorkflowTakesItsSignalsWithOneCommitEach() {
    waiting("one", 3);
    for (int i = 1; i <= 3; i++)
      assertThat(accepted(TestNode.await(send("one", "go", "s" + i)))).isEqualTo(i);
    assertThat(node.result("one")).isEqualTo("\"s1s2s3\"");
    assertThat(node.commits("one")).as("the start, and one for each").isEqualTo(4);
    assertThat(TAKEN).hasValue(3);
    assertThat(ACCEPTED).as("accepted by themselves").hasValue(0);
    assertThat(READ).as("looks into the inbox").hasValue(0);
  }

  @Test
  void aRetryIsAnsweredAsTheFirstTimeAndTheEndedWorkflowRefusesOthers() {
    waiting("again", 2);
    int reads = GATED.get().reads();
    SignalResult first = TestNode.await(send("again", "go", "s1"));
    SignalResult retry = TestNode.await(send("again", "go", "s1"));
    assertThat(((SignalResult.Duplicate) retry).original())
        .isEqualTo(((SignalResult.Accepted) first).result());
    TestNode.await(send("again", "go", "s2"));
    assertThat(node.result("again")).isEqualTo("\"s1s2\"");
    assertThat(((SignalResult.Duplicate) TestNode.await(send("again", "go", "s1"))).original())
        .isEqualTo(((SignalResult.Accepted) first).result());
    assertThat(TestNode.await(send("again", "go", "s3"))).isInstanceOf(SignalResult.Closed.class);
    assertThat(GATED.get().reads()).as("no commit was refused").isEqualTo(reads);
  }

  /** I14: it was accepted first, and the owner learns of it by the refusal of its commit. */
  @Test
  void whatAnotherNodeAcceptedBeforeComesBefore() {
    waiting("order", 2);
    GatedStorage.Gate gate = GATED.get().hold("order", Event.SignalConsumed.class::isInstance);
    CompletionStage<SignalResult> late = send("order", "go", "late");
    gate.awaitArrival();
    acceptElsewhere("order", "go", "early");
    gate.open();
    assertThat(accepted(TestNode.await(late))).isEqualTo(2);
    assertThat(node.result("order")).isEqualTo("\"earlylate\"");
  }

  /** Were it put into the inbox now, the commit that is under way would be refused. */
  @Test
  void whatComesWhileTheOwnerTakesOneComesAfterIt() {
    waiting("behind", 2);
    int reads = GATED.get().reads();
    GatedStorage.Gate gate = GATED.get().hold("behind", Event.SignalConsumed.class::isInstance);
    CompletionStage<SignalResult> first = send("behind", "go", "s1");
    gate.awaitArrival();
    CompletionStage<SignalResult> second = send("behind", "go", "s2");
    gate.open();
    assertThat(accepted(TestNode.await(first))).isEqualTo(1);
    assertThat(accepted(TestNode.await(second))).isEqualTo(2);
    assertThat(node.result("behind")).isEqualTo("\"s1s2\"");
    assertThat(GATED.get().reads()).as("no commit was refused").isEqualTo(reads);
  }

  /** It stands, and nobody hears of it: to hand the signal in again finds that out. */
  @Test
  void aSignalWhoseCommitWasNotHeardOfIsConsumedOnce() {
    waiting("unheard", 2);
    GATED
        .get()
        .refuse(
            "unheard",
            Event.SignalConsumed.class::isInstance,
            commit -> {
              GATED.get().store(commit);
              return new CommitResult.Unknown(
                  commit.id(), new StorageException.OutcomeUnknown("on purpose", null));
            });
    assertThat(accepted(TestNode.await(send("unheard", "go", "s1")))).isEqualTo(1);
    TestNode.await(send("unheard", "go", "s2"));
    assertThat(node.result("unheard")).isEqualTo("\"s1s2\"");
  }

  @Test
  void aSignalWhoseCommitWasNotStoredIsAcceptedAllTheSame() {
    waiting("lost", 1);
    GATED
        .get()
        .refuse(
            "lost",
            Event.SignalConsumed.class::isInstance,
            commit ->
                new CommitResult.Unknown(
                    commit.id(), new StorageException.OutcomeUnknown("on purpose", null)));
    assertThat(accepted(TestNode.await(send("lost", "go", "s1")))).isEqualTo(1);
    assertThat(node.result("lost")).isEqualTo("\"s1\"");
  }

  /** Nobody waits for it yet: it stands in the inbox, before the ones that come later. */
  @Test
  void whatNobodyWaitsForYetIsTakenFirstWhenSomebodyDoes() {
    CountDownLatch busy = new CountDownLatch(1);
    Coded.begin(
        node,
        "early",
        ctx -> {
          ctx.step(
              "busy", () -> Await.until("it may go on", TestNode.SOON, () -> busy.getCount() == 0));
          return ctx.awaitSignal("go", String.class) + ctx.awaitSignal("go", String.class);
        });
    Await.until("it runs", TestNode.SOON, () -> node.describe("early").status() == Status.RUNNING);
    assertThat(accepted(TestNode.await(send("early", "go", "s1")))).isEqualTo(1);
    busy.countDown();
    assertThat(accepted(TestNode.await(send("early", "go", "s2")))).isEqualTo(2);
    assertThat(node.result("early")).isEqualTo("\"s1s2\"");
    assertThat(ACCEPTED.get()).isPositive();
  }

  @Test
  void oneThatIsTakenAndNotReceivedIsLeftAtTheEnd() {
    Coded.begin(
        node,
        "left",
        ctx -> {
          Handle<String> stop = ctx.signals("stop", String.class).receiveAsync();
          Handle<String> go = ctx.signals("go", String.class).receiveAsync();
          ctx.awaitSignal("now", String.class);
          go.cancel("not wanted any more");
          return stop.get();
        });
    accepted(TestNode.await(send("left", "go", "s1")));
    accepted(TestNode.await(send("left", "now", "s2")));
    accepted(TestNode.await(send("left", "stop", "s3")));
    assertThat(node.result("left")).isEqualTo("\"s3\"");
    assertThat(
            node.storage
                .signals()
                .unconsumed(List.of(new InboxRead(WorkflowId.of("left"), 0, 10)))
                .getFirst())
        .extracting(PendingSignal::id)
        .containsExactly("s1");
  }
}
