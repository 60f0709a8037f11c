package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.journal.JournalRead;
import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.persistence.signal.ForwardingSignals;
import dev.tenure.persistence.signal.InboxRead;
import dev.tenure.persistence.signal.PendingSignal;
import dev.tenure.persistence.signal.SignalRequest;
import dev.tenure.persistence.signal.SignalResult;
import dev.tenure.persistence.signal.Signals;
import dev.tenure.persistence.storage.ForwardingStorage;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Signals to a workflow whose owner cannot take them as usual. What is due is looked for rarely
 * here, so that nothing is found by chance.
 */
class SignalsInTroubleTest {
  private static final ActivityDefinition<String, String> LONG =
      ActivityDefinition.of("long", String.class, String.class);
  private static final AtomicInteger RUNS = new AtomicInteger();
  private static final AtomicInteger INTERRUPTED = new AtomicInteger();
  private static final CountDownLatch END = new CountDownLatch(1);
  private static final AtomicReference<GatedStorage> GATED = new AtomicReference<>();
  private static final AtomicBoolean UNREADABLE = new AtomicBoolean();
  private static final AtomicReference<CountDownLatch> PAGES =
      new AtomicReference<>(new CountDownLatch(0));
  private static final AtomicInteger LOOKS = new AtomicInteger();
  private static final Duration SCAN_EVERY = Duration.ofSeconds(20);
  private static TestNode node;

  private static final class Unread extends ForwardingStorage {
    private Unread(Storage inner) {
      super(inner);
    }

    @Override
    public List<List<JournalRow>> read(List<JournalRead> reads) {
      if (UNREADABLE.get()) throw new StorageException.Unavailable("reads are away", null);
      return super.read(reads);
    }

    @Override
    public Signals signals() {
      return new ForwardingSignals(super.signals()) {

        @Override
        public List<List<PendingSignal>> pending(List<InboxRead> reads) {
          LOOKS.incrementAndGet();
          try {
            PAGES.get().await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
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
                .settings(s -> s.withScanEvery(SCAN_EVERY))
                .with(
                    ActivityRegistration.of(
                        LONG,
                        (ctx, in) -> {
                          RUNS.incrementAndGet();
                          try {
                            END.await();
                          } catch (InterruptedException e) {
                            INTERRUPTED.incrementAndGet();
                            throw new IllegalStateException(e);
                          }
                          return "done";
                        }))
                .storage(
                    inner -> {
                      GATED.set(new GatedStorage(new Unread(inner)));
                      return GATED.get();
                    }));
  }

  @AfterAll
  static void stop() {
    END.countDown();
    node.close();
  }

  private static CompletionStage<SignalResult> send(String id, String name, String signalId) {
    return node.workflows()
        .signal(WorkflowId.of(id), name, TestNode.json(signalId), Optional.of(signalId));
  }

  private static void acceptElsewhere(String id, String name, String signalId) {
    SignalRequest request =
        new SignalRequest(id, name, Optional.of(signalId), TestNode.json(signalId));
    assertThat(
            node.storage
                .signals()
                .accept(List.of(request.toSignal(() -> "fresh")), Duration.ofDays(1))
                .getFirst())
        .isInstanceOf(SignalResult.Accepted.class);
  }

  /** A retry of a signal via another node, a moment before this one. */
  @Test
  void aSignalThatCameElsewhereDoesNotInterruptActivities() {
    Coded.begin(
        node,
        "long",
        ctx -> {
          Handle<String> a = ctx.activityAsync(LONG, "x");
          for (int i = 0; i < 3; i++) ctx.awaitSignal("go", String.class);
          return a.get();
        });
    Await.until("the activity runs", TestNode.SOON, () -> RUNS.get() == 1);
    acceptElsewhere("long", "go", "s1");
    TestNode.await(send("long", "go", "s1"));
    TestNode.await(send("long", "go", "s2"));
    TestNode.await(send("long", "go", "s3"));
    Await.until(
        "all are received",
        TestNode.SOON,
        () ->
            node.events("long").stream().filter(Event.SignalConsumed.class::isInstance).count()
                == 3);
    END.countDown();
    assertThat(node.result("long")).isEqualTo("\"done\"");
    assertThat(RUNS).hasValue(1);
    assertThat(INTERRUPTED).hasValue(0);
  }

  /**
   * Its commit is unheard of, and its history cannot be read now: signals are accepted in order.
   */
  @Test
  void aSenderIsAnsweredWhileTheOwnerCannotRead() {
    Coded.begin(
        node,
        "pausing",
        ctx -> {
          StringBuilder all = new StringBuilder();
          for (int i = 0; i < 3; i++) all.append(ctx.awaitSignal("go", String.class));
          return all.toString();
        });
    CountDownLatch go = new CountDownLatch(1);
    CountDownLatch here = new CountDownLatch(1);
    GATED
        .get()
        .refuse(
            "pausing",
            Event.SignalConsumed.class::isInstance,
            commit -> {
              here.countDown();
              Await.until("it may go on", TestNode.SOON, () -> go.getCount() == 0);
              return new CommitResult.Unknown(
                  commit.id(), new StorageException.OutcomeUnknown("on purpose", null));
            });
    CompletionStage<SignalResult> first = send("pausing", "go", "s1");
    Await.until("it commits", TestNode.SOON, () -> here.getCount() == 0);
    CompletionStage<SignalResult> second = send("pausing", "go", "s2");
    UNREADABLE.set(true);
    try {
      go.countDown();
      assertThat(position(TestNode.await(first))).isEqualTo(1);
      assertThat(position(TestNode.await(second))).isEqualTo(2);
      assertThat(position(TestNode.await(send("pausing", "go", "s3")))).isEqualTo(3);
    } finally {
      UNREADABLE.set(false);
    }
    assertThat(node.result("pausing")).isEqualTo("\"s1s2s3\"");
  }

  private static long position(SignalResult result) {
    assertThat(result).isInstanceOf(SignalResult.Accepted.class);
    return ((SignalResult.Accepted) result).result().position();
  }

  /** The code computes, and its owner can take up nothing until it comes back. */
  @Test
  void aSenderIsAnsweredWhileTheCodeComputes() {
    CountDownLatch busy = new CountDownLatch(1);
    CountDownLatch computes = new CountDownLatch(1);
    Coded.begin(
        node,
        "computing",
        ctx -> {
          String all = ctx.awaitSignal("go", String.class);
          computes.countDown();
          Await.until("it may go on", TestNode.SOON, () -> busy.getCount() == 0);
          return all + ctx.awaitSignal("then", String.class);
        });
    send("computing", "go", "s1");
    Await.until("it computes", TestNode.SOON, () -> computes.getCount() == 0);
    CompletionStage<SignalResult> second = send("computing", "then", "s2");
    try {
      assertThat(TestNode.await(second)).isInstanceOf(SignalResult.Accepted.class);
    } finally {
      busy.countDown();
    }
    assertThat(node.result("computing")).isEqualTo("\"s1s2\"");
  }

  @Test
  void aRunLooksForWhatTheRunBeforeItLookedFor() {
    CountDownLatch busy = new CountDownLatch(1);
    AtomicInteger runs = new AtomicInteger();
    Coded.put(
        "renewed",
        ctx -> {
          if (ctx.step("run", runs::incrementAndGet) == 1) {
            ctx.step(
                "busy",
                () -> Await.until("it may go on", TestNode.SOON, () -> busy.getCount() == 0));
            return ctx.continueAsNew(null);
          }
          return ctx.awaitSignal("go", String.class);
        });
    node.begin("renewed", "coded", null);
    Await.until("it runs", TestNode.SOON, () -> runs.get() == 1);
    CountDownLatch pages = new CountDownLatch(1);
    PAGES.set(pages);
    int before = LOOKS.get();
    acceptElsewhere("renewed", "go", "s1");
    // As if the other node's wake-up came: the owner looks.
    TestNode.await(send("renewed", "other", "o1"));
    Await.until("it looks", TestNode.SOON, () -> LOOKS.get() > before);
    busy.countDown();
    Await.until("the next run waits", TestNode.SOON, () -> node.commits("renewed") >= 4);
    long from = System.nanoTime();
    PAGES.set(new CountDownLatch(0));
    pages.countDown();
    assertThat(node.result("renewed")).isEqualTo("\"s1\"");
    assertThat(Duration.ofNanos(System.nanoTime() - from)).isLessThan(SCAN_EVERY.dividedBy(2));
  }

  /** Nobody waited for it when it was accepted, and the owner has known of it since. */
  @Test
  void aWaitThatBeginsLooksForWhatIsThereSince() {
    CountDownLatch busy = new CountDownLatch(1);
    Coded.begin(
        node,
        "since",
        ctx -> {
          ctx.step(
              "busy", () -> Await.until("it may go on", TestNode.SOON, () -> busy.getCount() == 0));
          return ctx.awaitSignal("go", String.class);
        });
    assertThat(TestNode.await(send("since", "go", "s1"))).isInstanceOf(SignalResult.Accepted.class);
    long from = System.nanoTime();
    busy.countDown();
    assertThat(node.result("since")).isEqualTo("\"s1\"");
    assertThat(Duration.ofNanos(System.nanoTime() - from)).isLessThan(SCAN_EVERY.dividedBy(2));
  }
}
