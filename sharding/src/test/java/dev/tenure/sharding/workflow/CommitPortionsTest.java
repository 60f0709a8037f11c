package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Code that asks for more than one commit holds is granted it in several, one after the other. */
class CommitPortionsTest {
  private static final ActivityDefinition<String, Integer> LENGTH =
      ActivityDefinition.of("length", String.class, Integer.class);

  private static final ActivityDefinition<String, Integer> GATED =
      ActivityDefinition.of("gated", String.class, Integer.class);
  private static final CountDownLatch GATE = new CountDownLatch(1);

  private static GatedStorage gates;
  private static TestNode node;

  @BeforeAll
  static void start() {
    node =
        TestNode.start(
            new TestNode.Plan()
                .with(Coded.class, Coded::new)
                .with(ActivityRegistration.of(LENGTH, (c, text) -> text.length()))
                .with(
                    ActivityRegistration.of(
                            GATED,
                            (c, text) -> {
                              passes(GATE);
                              return text.length();
                            })
                        .atOnce(100))
                .settings(given -> given.withRecoveryPause(Duration.ofMillis(50)))
                .storage(
                    inner -> {
                      gates = new GatedStorage(inner);
                      return gates;
                    }));
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static void passes(CountDownLatch latch) {
    try {
      if (!latch.await(TestNode.SOON.toMillis(), TimeUnit.MILLISECONDS))
        throw new IllegalStateException("Nobody opened the latch.");
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Branches of a step and, when that came out, an activity. */
  private static final class Branches {
    final CountDownLatch go = new CountDownLatch(1);
    final AtomicInteger steps = new AtomicInteger();
    private final int count;
    private final String result;
    private final String input;

    Branches(int count, int resultBytes, int inputBytes) {
      this.count = count;
      this.result = "r".repeat(resultBytes);
      this.input = "i".repeat(inputBytes);
    }

    int run(WorkflowContext ctx) {
      List<Handle<Integer>> all = new ArrayList<>();
      for (int i = 0; i < count; i++) all.add(ctx.async("branch", () -> branch(ctx)));
      int sum = 0;
      for (int length : ctx.all(all)) sum += length;
      return sum;
    }

    private int branch(WorkflowContext ctx) {
      ctx.step(
          "first",
          () -> {
            passes(go);
            steps.incrementAndGet();
            return result;
          });
      return ctx.activity(LENGTH, input);
    }

    void awaitAsked(String id) {
      Await.until(
          "all are asked for", TestNode.SOON, () -> node.describe(id).operations() >= count);
    }

    String sum() {
      return "" + count * input.length();
    }
  }

  private static long count(String id, Class<? extends Event> type) {
    return node.events(id).stream().filter(type::isInstance).count();
  }

  private static void isWhole(String id, Branches branches) {
    assertThat(node.result(id)).isEqualTo(branches.sum());
    assertThat(branches.steps).hasValue(branches.count);
    assertThat(count(id, Event.IncidentRaised.class)).isZero();
    assertThat(count(id, Event.CodeRevised.class))
        .as("the rest had commits of its own")
        .isPositive();
    Journal.whole(node.storage, id);
  }

  private static void piledUp(String id, Branches branches) {
    Coded.begin(node, id, branches::run);
    branches.awaitAsked(id);
    GatedStorage.Gate gate = gates.hold(id, event -> event instanceof Event.Completed);
    branches.go.countDown();
    gate.awaitArrival();
    Await.until("all are out", TestNode.SOON, () -> branches.steps.get() == branches.count);
    gate.open();
  }

  @Test
  void largeResultsThatPiledUpAndWhatFollowsThemAreGranted() {
    Branches branches = new Branches(80, 45_000, 60_000);
    piledUp("few and large", branches);
    isWhole("few and large", branches);
  }

  @Test
  void aThousandResultsThatPiledUpAndWhatFollowsThemAreGranted() {
    Branches branches = new Branches(1_000, 10, 5_000);
    piledUp("many and small", branches);
    isWhole("many and small", branches);
  }

  /** All of them come out while it is paused; returns when all is on record. */
  private static void paused(String id, Branches branches) {
    Coded.begin(node, id, branches::run);
    branches.awaitAsked(id);
    assertThat(TestNode.await(node.workflows().pause(WorkflowId.of(id), "a look"))).isTrue();
    branches.go.countDown();
    Await.until(
        "all is recorded", TestNode.SOON, () -> count(id, Event.Completed.class) == branches.count);
  }

  private static void resume(String id) {
    assertThat(TestNode.await(node.workflows().resume(WorkflowId.of(id)))).isTrue();
  }

  @Test
  void whatAThousandResultsLeadToWhenAPauseEndsIsGranted() {
    Branches branches = new Branches(1_000, 10, 5_000);
    paused("paused", branches);
    resume("paused");
    isWhole("paused", branches);
  }

  @Test
  void anOwnerThatIsLostBetweenTheCommitsLosesNothing() {
    Branches branches = new Branches(1_000, 10, 5_000);
    paused("lost", branches);
    GatedStorage.Gate gate =
        gates.refuse(
            "lost",
            event -> event instanceof Event.CodeRevised,
            commit ->
                new CommitResult.Unknown(
                    commit.id(), new StorageException.OutcomeUnknown("on purpose", null)));
    resume("lost");
    isWhole("lost", branches);
    assertThat(gate.wasReached()).isTrue();
  }

  @Test
  void itCanBeTerminatedAndCancelledWhileThereIsMoreToGrant() {
    Branches branches = new Branches(1_000, 10, 5_000);
    paused("cancelled", branches);
    GatedStorage.Gate gate = gates.hold("cancelled", event -> event instanceof Event.CodeRevised);
    resume("cancelled");
    gate.awaitArrival();
    var cancelled = node.workflows().cancel(WorkflowId.of("cancelled"), "enough");
    gate.open();
    assertThat(TestNode.await(cancelled)).isTrue();
    assertThat(node.end("cancelled").status()).isEqualTo(Status.CANCELLED);
    Journal.whole(node.storage, "cancelled");
  }

  /** An activity that is gated, and another with a large input when that came out. */
  private static int gatedBranch(WorkflowContext ctx) {
    ctx.activity(GATED, "x");
    return ctx.activity(LENGTH, "i".repeat(60_000));
  }

  @Test
  void anIncidentInWhichResultsPiledUpIsResolved() {
    AtomicInteger mended = new AtomicInteger();
    Coded.begin(
        node,
        "bug",
        ctx -> {
          List<Handle<Integer>> all = new ArrayList<>();
          for (int i = 0; i < 100; i++) all.add(ctx.async("branch", () -> gatedBranch(ctx)));
          ctx.step("before the bug", () -> "");
          if (mended.get() == 0) throw new IllegalArgumentException("a bug");
          return ctx.all(all).size();
        });
    Await.until(
        "it is an incident", TestNode.SOON, () -> node.describe("bug").status() == Status.INCIDENT);
    GATE.countDown();
    Await.until("all is recorded", TestNode.SOON, () -> count("bug", Event.Completed.class) == 101);
    mended.set(1);
    assertThat(TestNode.await(node.workflows().resolveIncident(WorkflowId.of("bug"), "mended")))
        .isTrue();
    assertThat(node.result("bug")).isEqualTo("100");
    assertThat(count("bug", Event.IncidentRaised.class)).isEqualTo(1);
    assertThat(count("bug", Event.CodeRevised.class)).isPositive();
    Journal.whole(node.storage, "bug");
  }

  @Test
  void aStartWhoseCodeAsksForMoreIsGrantedAllOfIt() {
    String id = "start";
    Coded.begin(
        node,
        id,
        ctx -> {
          List<Handle<Integer>> all = new ArrayList<>();
          for (int i = 0; i < 100; i++)
            all.add(ctx.async("one", () -> ctx.activity(LENGTH, "i".repeat(60_000))));
          return ctx.all(all).size();
        });
    assertThat(node.result(id)).isEqualTo("100");
    assertThat(count(id, Event.IncidentRaised.class)).isZero();
    Journal.whole(node.storage, id);
  }

  @Test
  void timersThatAreDueTogetherAndWhatFollowsThemAreGranted() {
    String id = "timers";
    Coded.begin(
        node,
        id,
        ctx -> {
          List<Handle<Integer>> all = new ArrayList<>();
          for (int i = 0; i < 500; i++)
            all.add(
                ctx.async(
                    "one",
                    () -> {
                      ctx.sleep(Duration.ofMillis(500));
                      return ctx.activity(LENGTH, "i".repeat(20_000));
                    }));
          return ctx.all(all).size();
        });
    assertThat(node.result(id)).isEqualTo("500");
    assertThat(count(id, Event.IncidentRaised.class)).isZero();
    Journal.whole(node.storage, id);
  }
}
