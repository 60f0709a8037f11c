package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.signal.SignalResult;
import dev.tenure.sharding.host.OwnerLimits;
import dev.tenure.sharding.host.WorkflowSettings;
import dev.tenure.sharding.message.Description;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.StepOptions;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Two things at once, in the order that the test wants, on a real database. */
class RacesTest {
  private static TestNode node;
  private static GatedStorage gates;

  @BeforeAll
  static void start() {
    AtomicReference<GatedStorage> made = new AtomicReference<>();
    node =
        TestNode.start(
            new TestNode.Plan()
                .with(Coded.class, Coded::new)
                .settings(given -> given.withRest(Duration.ofMillis(5), 10_000))
                .storage(
                    inner -> {
                      made.set(new GatedStorage(inner));
                      return made.get();
                    }));
    gates = made.get();
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static boolean timesOut(Event event) {
    return event instanceof Event.Completed completed
        && completed.outcome() instanceof Outcome.TimedOut;
  }

  private static boolean ends(Event event) {
    return event instanceof Event.Ended;
  }

  private static void passes(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void signal(String id, Object value) {
    Coded.signal(node, id, "go", value);
  }

  @Test
  void aSignalThatComesWhileTheTimeoutCommitsIsLeftForTheNextWait() {
    GatedStorage.Gate gate = gates.hold("timeout-first", RacesTest::timesOut);
    Coded.begin(
        node,
        "timeout-first",
        ctx ->
            ctx.awaitSignal("go", String.class, Duration.ofMillis(200)).orElse("too late, then ")
                + ctx.awaitSignal("go", String.class));
    gate.awaitArrival();
    signal("timeout-first", "kept");
    gate.open();
    assertThat(node.result("timeout-first")).isEqualTo("\"too late, then kept\"");
  }

  @Test
  void aTimeoutThatPassesWhileTheSignalCommitsDoesNotHappen() {
    GatedStorage.Gate gate =
        gates.hold("signal-first", event -> event instanceof Event.SignalConsumed);
    Coded.begin(
        node,
        "signal-first",
        ctx -> ctx.awaitSignal("go", String.class, Duration.ofMillis(1_500)).orElse("timed out"));
    // Its own commit is the one that is held.
    CompletionStage<SignalResult> sent =
        node.workflows()
            .signal(
                WorkflowId.of("signal-first"), "go", TestNode.json("in time"), Optional.empty());
    gate.awaitArrival();
    Await.pass(Duration.ofMillis(1_600));
    gate.open();
    assertThat(TestNode.await(sent)).isInstanceOf(SignalResult.Accepted.class);
    assertThat(node.result("signal-first")).isEqualTo("\"in time\"");
    assertThat(node.events("signal-first")).noneMatch(RacesTest::timesOut);
  }

  @Test
  void aCancelThatComesWhileTheEndCommitsIsToldThatItIsLate() {
    GatedStorage.Gate gate = gates.hold("end-first", RacesTest::ends);
    Coded.begin(node, "end-first", ctx -> ctx.step("one", () -> "done"));
    gate.awaitArrival();
    CompletionStage<Boolean> cancel =
        node.workflows().cancel(WorkflowId.of("end-first"), "no need");
    gate.open();
    assertThatThrownBy(() -> TestNode.await(cancel))
        .hasCauseInstanceOf(WorkflowError.HasEnded.class);
    assertThat(node.result("end-first")).isEqualTo("\"done\"");
  }

  @Test
  void aStepThatEndsWhileTheCancelCommitsDoesNotUndoIt() {
    CountDownLatch step = new CountDownLatch(1);
    CountDownLatch running = new CountDownLatch(1);
    GatedStorage.Gate gate =
        gates.hold("cancel-first", event -> event instanceof Event.CancelRequested);
    Coded.begin(
        node,
        "cancel-first",
        ctx ->
            ctx.step(
                "one",
                () -> {
                  running.countDown();
                  passes(step);
                  return "done";
                }));
    Await.until("it runs", TestNode.SOON, () -> running.getCount() == 0);
    CompletionStage<Boolean> cancel =
        node.workflows().cancel(WorkflowId.of("cancel-first"), "no need");
    gate.awaitArrival();
    step.countDown();
    gate.open();
    assertThat(TestNode.await(cancel)).isTrue();
    assertThat(node.end("cancel-first").outcome()).isEqualTo(new Outcome.Cancelled("no need"));
    Journal.whole(node.storage, "cancel-first");
  }

  @Test
  void aStepThatReturnsAfterItsWorkflowWasTerminatedIsNotRecorded() {
    CountDownLatch step = new CountDownLatch(1);
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch returned = new CountDownLatch(1);
    Coded.begin(
        node,
        "terminated",
        ctx ->
            ctx.step(
                "deaf",
                () -> {
                  running.countDown();
                  while (step.getCount() > 0) Thread.onSpinWait();
                  returned.countDown();
                  return "late";
                }));
    Await.until("it runs", TestNode.SOON, () -> running.getCount() == 0);
    TestNode.await(node.workflows().terminate(WorkflowId.of("terminated"), "enough"));
    step.countDown();
    Await.until("it returned", TestNode.SOON, () -> returned.getCount() == 0);
    assertThat(node.end("terminated").outcome()).isEqualTo(new Outcome.Terminated("enough"));
    List<Event> events = Journal.whole(node.storage, "terminated");
    assertThat(events).noneMatch(Event.Completed.class::isInstance);
    assertThat(events.getLast()).isInstanceOf(Event.Closed.class);
  }

  @Test
  void whoWaitsForACommitThatIsRefusedGetsTheTruth() {
    // The tenure is lost, as far as the store says; the next owner is this node again.
    GatedStorage.Gate start =
        gates.refuse(
            "refused",
            event -> event instanceof Event.Started,
            commit -> new CommitResult.Fenced(commit.fence().epoch(), commit.fence().epoch() + 1));
    Coded.put("refused", ctx -> ctx.awaitSignal("go", String.class));
    StartResult first = node.begin("refused", "coded", null);
    assertThat(start.wasReached()).isTrue();
    assertThat(first).isInstanceOf(StartResult.Started.class);
    assertThat(first.runId()).isEqualTo(node.describe("refused").runId());

    GatedStorage.Gate pause =
        gates.refuse(
            "refused",
            event -> event instanceof Event.Paused,
            commit -> new CommitResult.Conflict(commit.id().version(), commit.id().version() + 1));
    assertThat(TestNode.await(node.workflows().pause(WorkflowId.of("refused"), "a look"))).isTrue();
    assertThat(pause.wasReached()).isTrue();
    assertThat(node.describe("refused").status()).isEqualTo(Status.PAUSED);
    TestNode.await(node.workflows().resume(WorkflowId.of("refused")));
    signal("refused", "on");
    assertThat(node.result("refused")).isEqualTo("\"on\"");
    assertThat(
            Journal.whole(node.storage, "refused").stream().filter(Event.Paused.class::isInstance))
        .hasSize(1);
  }

  @Test
  void fiveThousandResultsThatWaitAreFewCommits() {
    int steps = 5_000;
    CountDownLatch go = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(steps);
    Coded.begin(
        node,
        "many",
        ctx -> {
          List<Handle<Integer>> all = new ArrayList<>();
          for (int i = 0; i < steps; i++)
            all.add(
                ctx.stepAsync(
                    "part",
                    StepOptions.key("" + i),
                    () -> {
                      passes(go);
                      done.countDown();
                      return 1;
                    }));
          return ctx.all(all).stream().mapToInt(one -> one).sum();
        });
    Await.until(
        "all are asked for", TestNode.SOON, () -> node.describe("many").operations() >= steps);
    // One is let through, so that the others pile up while it commits.
    GatedStorage.Gate gate = gates.hold("many", event -> event instanceof Event.Completed);
    go.countDown();
    gate.awaitArrival();
    Await.until("all have come", TestNode.SOON, () -> done.getCount() == 0);
    gate.open();
    assertThat(node.result("many")).isEqualTo("5000");
    assertThat(node.commits("many")).isLessThanOrEqualTo(12);
    Journal.whole(node.storage, "many");
  }

  @Test
  void moreRequestsThanMayWaitAreSentAgainAndAnswered() {
    GatedStorage.Gate gate = gates.hold("slow", event -> event instanceof Event.UpdateAdmitted);
    Coded.begin(
        node,
        "slow",
        ctx -> {
          ctx.onUpdate("add", Integer.class, number -> number + 1);
          return ctx.awaitSignal("go", String.class);
        });
    Await.until("it waits", TestNode.SOON, () -> node.describe("slow").status() == Status.WAITING);
    CompletionStage<Outcome> update =
        node.workflows().update(WorkflowId.of("slow"), "u", "add", TestNode.json(1));
    gate.awaitArrival();
    List<CompletionStage<Description>> all = new ArrayList<>();
    for (int i = 0; i < WorkflowSettings.WAITING_MAX + 500; i++)
      all.add(node.workflows().describe(WorkflowId.of("slow")));
    Await.pass(Duration.ofMillis(300));
    gate.open();
    assertThat(TestNode.await(update)).isEqualTo(new Outcome.Succeeded(TestNode.json(2)));
    for (CompletionStage<Description> one : all)
      assertThat(TestNode.await(one).status()).isEqualTo(Status.WAITING);
  }

  @Test
  void noSignalIsLostOnAnOwnerThatLeavesTheMemoryAllTheTime() {
    int signals = 150;
    Coded.begin(
        node,
        "leaving",
        ctx -> {
          StringBuilder all = new StringBuilder();
          for (int i = 0; i < signals; i++)
            all.append(ctx.awaitSignal("go", Integer.class)).append(' ');
          return all.toString();
        });
    StringBuilder expected = new StringBuilder();
    for (int i = 0; i < signals; i++) {
      expected.append(i).append(' ');
      TestNode.await(
          node.workflows()
              .signal(WorkflowId.of("leaving"), "go", TestNode.json(i), Optional.empty()));
      // Around the moments at which those that rest are looked at.
      Await.pass(Duration.ofMillis(ThreadLocalRandom.current().nextInt(60)));
    }
    assertThat(node.result("leaving")).isEqualTo("\"" + expected + "\"");
    Journal.whole(node.storage, "leaving");
  }

  @Test
  void whoHasGoneDoesNotKeepAWorkflowInMemoryAndLeavesRoomForOthers() {
    Coded.begin(node, "awaited", ctx -> ctx.awaitSignal("go", String.class));
    WorkflowId id = WorkflowId.of("awaited");
    List<CompletionStage<Optional<Workflows.Ended>>> gone = new ArrayList<>();
    for (int i = 0; i < OwnerLimits.DEFAULT.replies(); i++)
      gone.add(node.workflows().result(id, Duration.ofMillis(200)));
    for (CompletionStage<Optional<Workflows.Ended>> one : gone)
      assertThat(TestNode.await(one)).isEmpty();
    Await.until("it has left the memory", TestNode.SOON, () -> node.node.resident() == 0);
    CompletionStage<Optional<Workflows.Ended>> end = node.workflows().result(id, TestNode.SOON);
    signal("awaited", "on");
    assertThat(TestNode.await(end)).isPresent();
  }
}
