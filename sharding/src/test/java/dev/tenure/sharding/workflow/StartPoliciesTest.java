package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.signal.InboxRead;
import dev.tenure.persistence.signal.SignalResult;
import dev.tenure.persistence.visibility.WorkflowRow;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.Attribute;
import dev.tenure.workflow.ChildCall;
import dev.tenure.workflow.ChildFailedException;
import dev.tenure.workflow.ChildHandle;
import dev.tenure.workflow.ParentClosePolicy;
import dev.tenure.workflow.StartPolicy;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Fork;
import dev.tenure.workflow.kernel.Status;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** One start after another under one id, on a real database. */
class StartPoliciesTest {
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

  private static StartRequest request(String id, StartPolicy policy) {
    return StartRequest.of(id, "coded", TestNode.json(null)).ifTaken(policy);
  }

  private static CompletionStage<StartResult> starting(StartRequest request) {
    return node.workflows().start(request);
  }

  private static StartResult start(StartRequest request) {
    return TestNode.await(starting(request));
  }

  private static StartResult again(
      String id, StartPolicy policy, Function<WorkflowContext, Object> code) {
    Coded.put(id, code);
    return start(request(id, policy));
  }

  private static String waits(WorkflowContext ctx) {
    return ctx.awaitSignal("go", String.class);
  }

  private static WorkflowRow row(String id) {
    return node.storage.workflows().find(WorkflowId.of(id)).orElseThrow();
  }

  private static Workflows.Ended end(String id, String runId) {
    return TestNode.await(
            node.workflows()
                .result(WorkflowId.of(id), Optional.of(runId), TestNode.SOON.minusSeconds(5)))
        .orElseThrow();
  }

  private static long runs(String id) {
    return Journal.whole(node.storage, id).stream()
        .filter(e -> e instanceof Event.Started || Fork.followsRun(e))
        .count();
  }

  @Test
  void aTakenIdIsRefusedByDefaultAlsoWhenItsWorkflowHasEnded() {
    Coded.run(node, "taken", ctx -> 1);
    assertThat(node.begin("taken", "coded", null)).isInstanceOf(StartResult.Duplicate.class);
    assertThat(runs("taken")).isEqualTo(1);
  }

  @Test
  void anEndedWorkflowIsStartedAgainWithAttributesAndATimeOfItsOwn() {
    Coded.run(
        node,
        "ended",
        ctx -> {
          ctx.attribute("first", 1);
          return "one";
        });
    WorkflowRow before = row("ended");
    Coded.put("ended", ctx -> ctx.step("two", () -> "two") + ctx.info().runId());
    StartResult second =
        start(
            request("ended", StartPolicy.ALLOW_IF_CLOSED)
                .attributes(Map.of("second", Attribute.of(2))));
    assertThat(second).isInstanceOf(StartResult.Started.class);
    assertThat(node.result("ended")).isEqualTo("\"two" + second.runId() + "\"");
    Await.until("the row is closed", TestNode.SOON, () -> row("ended").closedAt().isPresent());
    assertThat(row("ended").runId()).isEqualTo(second.runId()).isNotEqualTo(before.runId());
    assertThat(row("ended").attributes().toString()).contains("second").doesNotContain("first");
    assertThat(row("ended").startedAt()).isAfterOrEqualTo(before.startedAt());
    assertThat(runs("ended")).isEqualTo(2);
  }

  @Test
  void aRunningWorkflowIsLeftAloneOrTerminatedAsThePolicySays() {
    Coded.begin(node, "running", StartPoliciesTest::waits);
    String first = node.describe("running").runId();
    assertThat(start(request("running", StartPolicy.ALLOW_IF_CLOSED)))
        .isInstanceOf(StartResult.Duplicate.class);
    StartResult second = again("running", StartPolicy.TERMINATE_IF_RUNNING, ctx -> "second");
    assertThat(second.runId()).isNotEqualTo(first);
    assertThat(end("running", first).status()).isEqualTo(Status.TERMINATED);
    assertThat(end("running", second.runId()).status()).isEqualTo(Status.COMPLETED);
    assertThat(runs("running")).isEqualTo(2);
  }

  @Test
  void whoWaitsForTheFirstRunGetsItsResult() {
    Coded.begin(node, "waited", StartPoliciesTest::waits);
    String first = node.describe("waited").runId();
    CompletionStage<Optional<Workflows.Ended>> waiting =
        node.workflows().result(WorkflowId.of("waited"), TestNode.SOON.minusSeconds(5));
    again("waited", StartPolicy.TERMINATE_IF_RUNNING, StartPoliciesTest::waits);
    assertThat(TestNode.await(waiting).orElseThrow().status()).isEqualTo(Status.TERMINATED);
    Coded.signal(node, "waited", "go", "on");
    assertThat(node.result("waited")).isEqualTo("\"on\"");
    assertThat(end("waited", first).status()).isEqualTo(Status.TERMINATED);
    assertThatThrownBy(() -> end("waited", "no run")).hasMessageContaining("no run \"no run\"");
  }

  @Test
  void aRunIsMeantWithAllThatItContinuedAs() {
    Coded.begin(
        node,
        "chain",
        ctx -> waits(ctx).equals("next") ? ctx.continueAsNew(null) : "the end of the first start");
    String first = node.describe("chain").runId();
    Coded.signal(node, "chain", "go", "next");
    Coded.signal(node, "chain", "go", "end");
    assertThat(node.result("chain")).contains("first start");
    StartResult second = again("chain", StartPolicy.ALLOW_IF_CLOSED, StartPoliciesTest::waits);
    assertThat(end("chain", first).status()).isEqualTo(Status.COMPLETED);
    CompletionStage<Optional<Workflows.Ended>> waiting =
        node.workflows()
            .result(
                WorkflowId.of("chain"), Optional.of(second.runId()), TestNode.SOON.minusSeconds(5));
    Coded.signal(node, "chain", "go", "x");
    assertThat(TestNode.await(waiting).orElseThrow().status()).isEqualTo(Status.COMPLETED);
  }

  @Test
  void aRepeatedStartIsAnsweredWithItsOwnRun() {
    Coded.put("keyed", StartPoliciesTest::waits);
    StartRequest first = request("keyed", StartPolicy.TERMINATE_IF_RUNNING).request("first");
    StartRequest second = request("keyed", StartPolicy.TERMINATE_IF_RUNNING).request("second");
    String one = start(first).runId();
    String two = start(second).runId();
    assertThat(start(first)).isEqualTo(new StartResult.Started(WorkflowId.of("keyed"), one));
    assertThat(start(second)).isEqualTo(new StartResult.Started(WorkflowId.of("keyed"), two));
    assertThat(runs("keyed")).isEqualTo(2);
  }

  @Test
  void twoStartsAtOnceBeginTwoRunsAndEachIsToldItsOwn() {
    Coded.begin(node, "race", StartPoliciesTest::waits);
    List<CompletionStage<StartResult>> both =
        Stream.of("a", "b", "a", "b")
            .map(key -> request("race", StartPolicy.TERMINATE_IF_RUNNING).request(key))
            .map(StartPoliciesTest::starting)
            .toList();
    List<String> runIds = both.stream().map(TestNode::await).map(StartResult::runId).toList();
    assertThat(runIds.get(0)).isEqualTo(runIds.get(2)).isNotEqualTo(runIds.get(1));
    assertThat(runIds.get(1)).isEqualTo(runIds.get(3));
    assertThat(runs("race")).isEqualTo(3);
  }

  @Test
  void signalsOfTheRunBeforeStayUnconsumedAndKeepNoRunDue() {
    Coded.begin(node, "inbox", StartPoliciesTest::waits);
    Coded.signal(node, "inbox", "other", "left");
    again("inbox", StartPolicy.TERMINATE_IF_RUNNING, ctx -> ctx.awaitSignal("other", String.class));
    InboxRead read = new InboxRead(WorkflowId.of("inbox"), 0, 10);
    assertThat(node.storage.signals().unconsumed(List.of(read)).getFirst()).hasSize(1);
    Await.until(
        "it waits, and nothing keeps it due",
        TestNode.SOON,
        () -> row("inbox").status() == Status.WAITING && row("inbox").wakeAt().isEmpty());
    Coded.signal(node, "inbox", "other", "mine");
    assertThat(node.result("inbox")).isEqualTo("\"mine\"");
    assertThat(
            TestNode.await(
                node.workflows()
                    .signal(WorkflowId.of("inbox"), "other", TestNode.json(1), Optional.empty())))
        .isInstanceOf(SignalResult.Closed.class);
  }

  @Test
  void aCommitThatDoesNotStandLeavesTheFirstRunAndTheStartIsMadeOnce() {
    Coded.begin(node, "refused", StartPoliciesTest::waits);
    GatedStorage.Gate gate =
        gates.refuse(
            "refused",
            Event.StartedAgain.class::isInstance,
            commit -> new CommitResult.Fenced(1, 2));
    StartResult second = again("refused", StartPolicy.TERMINATE_IF_RUNNING, ctx -> "second");
    assertThat(gate.wasReached()).isTrue();
    assertThat(second).isInstanceOf(StartResult.Started.class);
    assertThat(node.result("refused")).isEqualTo("\"second\"");
    assertThat(runs("refused")).isEqualTo(2);
  }

  @Test
  void aWorkflowThatStandsStillIsReplaced() {
    Coded.begin(node, "paused", StartPoliciesTest::waits);
    TestNode.await(node.workflows().pause(WorkflowId.of("paused"), "look"));
    assertThat(start(request("paused", StartPolicy.ALLOW_IF_CLOSED)))
        .isInstanceOf(StartResult.Duplicate.class);
    again("paused", StartPolicy.TERMINATE_IF_RUNNING, ctx -> "on");
    assertThat(node.result("paused")).isEqualTo("\"on\"");

    start(StartRequest.of("blocked", "nobody-has-it", TestNode.json(null)));
    again("blocked", StartPolicy.TERMINATE_IF_RUNNING, ctx -> "on");
    assertThat(node.result("blocked")).isEqualTo("\"on\"");
    assertThat(row("blocked").type().name()).isEqualTo("coded");

    Coded.begin(node, "incident", StartPoliciesTest::waits);
    Coded.put(
        "incident",
        ctx -> {
          throw new LinkageError("no such code");
        });
    start(request("incident", StartPolicy.TERMINATE_IF_RUNNING));
    Await.until(
        "it is an incident",
        TestNode.SOON,
        () -> node.describe("incident").status() == Status.INCIDENT);
    again("incident", StartPolicy.TERMINATE_IF_RUNNING, ctx -> "mended");
    assertThat(node.result("incident")).isEqualTo("\"mended\"");
    assertThat(TestNode.await(node.workflows().incident(WorkflowId.of("incident")))).isEmpty();
  }

  private static String child(WorkflowContext ctx, StartPolicy policy) {
    return ctx.child(ChildCall.to("coded", String.class).id("billing").ifTaken(policy));
  }

  @Test
  void aChildCanBeStartedASecondTime() {
    Coded.put("billing", ctx -> "paid");
    assertThat(
            Coded.run(
                node,
                "twice",
                ctx ->
                    child(ctx, StartPolicy.ALLOW_IF_CLOSED)
                        + child(ctx, StartPolicy.ALLOW_IF_CLOSED)))
        .isEqualTo("\"paidpaid\"");
    assertThat(
            Coded.run(
                node,
                "rejected",
                ctx -> {
                  try {
                    return child(ctx, StartPolicy.REJECT_DUPLICATE);
                  } catch (ChildFailedException e) {
                    return "the id is taken";
                  }
                }))
        .contains("taken");
  }

  /** Starts the child in each of its runs, and ends each run with it. */
  private static ChildHandle<String> inEachRun(WorkflowContext ctx, String id) {
    return ctx.childAsync(
        ChildCall.to("coded", String.class)
            .id(id)
            .ifTaken(StartPolicy.ALLOW_IF_CLOSED)
            .onParentClose(ParentClosePolicy.TERMINATE));
  }

  private static String runIdOf(String id) {
    return node.storage.workflows().find(WorkflowId.of(id)).map(WorkflowRow::runId).orElse("");
  }

  @Test
  void theNextRunStartsTheChildAnewThatTheRunBeforeTerminates() {
    Coded.put("monthly", StartPoliciesTest::waits);
    Coded.begin(
        node,
        "renewing",
        ctx -> {
          ChildHandle<String> child = inEachRun(ctx, "monthly");
          return waits(ctx).equals("next") ? ctx.continueAsNew(null) : child.get();
        });
    Await.until("the child runs", TestNode.SOON, () -> !runIdOf("monthly").isEmpty());
    String first = runIdOf("monthly");
    Coded.signal(node, "renewing", "go", "next");
    Coded.signal(node, "renewing", "go", "join");
    Await.until(
        "the next run's child runs, or its parent has ended",
        TestNode.SOON,
        () -> !runIdOf("monthly").equals(first) || row("renewing").closedAt().isPresent());
    Coded.signal(node, "monthly", "go", "alive");
    assertThat(node.result("renewing")).isEqualTo("\"alive\"");
    assertThat(end("monthly", first).status()).isEqualTo(Status.TERMINATED);
  }

  @Test
  void theNextRunsStartDoesNotOvertakeTheStartThatTheRunBeforeLetGo() {
    Coded.put("hasty", StartPoliciesTest::waits);
    AtomicInteger runs = new AtomicInteger();
    Coded.begin(
        node,
        "renewing at once",
        ctx -> {
          int run = ctx.step("run", runs::incrementAndGet);
          ChildHandle<String> child = inEachRun(ctx, "hasty");
          return run == 1 ? ctx.continueAsNew(null) : child.get();
        });
    Await.until(
        "the second run's child runs, or its parent has ended",
        TestNode.SOON,
        () -> runs("hasty") == 2 || row("renewing at once").closedAt().isPresent());
    Coded.signal(node, "hasty", "go", "alive");
    assertThat(node.result("renewing at once")).isEqualTo("\"alive\"");
  }

  @Test
  void aParentLearnsThatItsChildWasReplaced() {
    Coded.put("kid", StartPoliciesTest::waits);
    Coded.begin(
        node,
        "parent",
        ctx -> {
          try {
            return ctx.child(ChildCall.to("coded", String.class).id("kid"));
          } catch (ChildFailedException e) {
            return e.failure().type();
          }
        });
    Await.until(
        "the child runs",
        TestNode.SOON,
        () -> node.storage.workflows().find(WorkflowId.of("kid")).isPresent());
    again("kid", StartPolicy.TERMINATE_IF_RUNNING, StartPoliciesTest::waits);
    assertThat(node.result("parent")).containsIgnoringCase("terminated");
    Coded.signal(node, "kid", "go", "alive");
    assertThat(node.result("kid")).isEqualTo("\"alive\"");
  }
}
