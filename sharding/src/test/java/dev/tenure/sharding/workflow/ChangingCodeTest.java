package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.StepOptions;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Incident;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.operation.OperationKind;
import java.time.Duration;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Every kind of change to a workflow's code, made while a run waits between step a and step b. */
class ChangingCodeTest {
  private static final ActivityDefinition<String, String> A =
      ActivityDefinition.of("a", String.class, String.class);

  private static TestNode node;

  @BeforeAll
  static void start() {
    node =
        TestNode.start(
            new TestNode.Plan()
                .with(Coded.class, Coded::new)
                .with(ActivityRegistration.of(A, (ctx, text) -> text))
                .settings(given -> given.withRest(Duration.ofMillis(50), 0)));
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static String step(WorkflowContext ctx, String name) {
    return ctx.step(name, () -> name);
  }

  private static Object before(WorkflowContext ctx) {
    String a = step(ctx, "a");
    ctx.awaitSignal("go", String.class);
    return a + step(ctx, "b");
  }

  /** A run of the old code waits; the new code is deployed; the run is told to go on. */
  private static void deploy(String id, Function<WorkflowContext, Object> after) {
    Coded.begin(node, id, ChangingCodeTest::before);
    Await.until(id + " waits", TestNode.SOON, () -> node.describe(id).status() == Status.WAITING);
    Await.until("nothing is in memory", TestNode.SOON, () -> node.node.resident() == 0);
    Coded.put(id, after);
    Coded.signal(node, id, "go", "now");
  }

  private static Incident.Drift drift(String id) {
    Await.until(
        id + " is an incident", TestNode.SOON, () -> node.describe(id).status() == Status.INCIDENT);
    return (Incident.Drift) node.describe(id).incident().orElseThrow();
  }

  @Test
  void aStepAddedAfterWhereTheRunStandsIsRun() {
    deploy("after", ctx -> before(ctx) + step(ctx, "c"));
    assertThat(node.result("after")).isEqualTo("\"abc\"");
  }

  @Test
  void aPauseHoldsWhatOtherCodeAsksForAnew() {
    Coded.begin(node, "held", ChangingCodeTest::before);
    Await.until("it waits", TestNode.SOON, () -> node.describe("held").status() == Status.WAITING);
    TestNode.await(node.workflows().pause(WorkflowId.of("held"), "look"));
    Await.until("nothing is in memory", TestNode.SOON, () -> node.node.resident() == 0);
    Coded.put(
        "held",
        ctx -> {
          Handle<String> extra = ctx.stepAsync("extra", StepOptions.DEFAULT, () -> "x");
          return before(ctx) + extra.get();
        });
    // Answered by the next owner, behind all that it does first.
    assertThat(node.describe("held").status()).isEqualTo(Status.PAUSED);
    assertThat(Journal.whole(node.storage, "held").toString()).doesNotContain("extra#1");
    TestNode.await(node.workflows().resume(WorkflowId.of("held")));
    Coded.signal(node, "held", "go", "now");
    assertThat(node.result("held")).isEqualTo("\"abx\"");
  }

  @Test
  void aStepAddedBesideWhatTheRunWaitsForIsRun() {
    deploy(
        "beside",
        ctx -> {
          String a = step(ctx, "a");
          Handle<String> extra = ctx.stepAsync("extra", StepOptions.DEFAULT, () -> "x");
          ctx.awaitSignal("go", String.class);
          return a + step(ctx, "b") + extra.get();
        });
    assertThat(node.result("beside")).isEqualTo("\"abx\"");
  }

  @Test
  void aStepAddedBeforeWhereTheRunStandsIsADriftThatNamesBoth() {
    deploy(
        "before",
        ctx -> {
          String a = step(ctx, "a");
          step(ctx, "x");
          ctx.awaitSignal("go", String.class);
          return a + step(ctx, "b");
        });
    Incident.Drift drift = drift("before");
    assertThat(drift.operation().value()).isEqualTo("signal:go#1");
    assertThat(drift.recorded()).isEqualTo(OperationKind.SIGNAL_WAIT);
    assertThat(drift.instead()).extracting(Object::toString).containsExactly("x#1");
    assertThat(drift.message()).contains("signal:go#1 is recorded as SIGNAL_WAIT", "[x#1]");
  }

  @Test
  void aStepThatWasRunAndIsRemovedIsADrift() {
    deploy(
        "removed",
        ctx -> {
          ctx.awaitSignal("go", String.class);
          return step(ctx, "b");
        });
    assertThat(drift("removed").operation().value()).isEqualTo("a#1");
  }

  @Test
  void aStepThatTheRunHasNotReachedMayBeRemovedOrRenamed() {
    deploy(
        "removed-ahead",
        ctx -> {
          String a = step(ctx, "a");
          ctx.awaitSignal("go", String.class);
          return a + step(ctx, "better b");
        });
    assertThat(node.result("removed-ahead")).isEqualTo("\"abetter b\"");
  }

  @Test
  void aStepThatWasRunAndIsRenamedIsADrift() {
    deploy(
        "renamed",
        ctx -> {
          String a = step(ctx, "better a");
          ctx.awaitSignal("go", String.class);
          return a + step(ctx, "b");
        });
    Incident.Drift drift = drift("renamed");
    assertThat(drift.operation().value()).isEqualTo("a#1");
    assertThat(drift.instead()).extracting(Object::toString).containsExactly("better a#1");
  }

  @Test
  void stepsThatWereRunMayChangePlacesAmongThemselves() {
    String id = "reordered";
    Coded.begin(
        node,
        id,
        ctx -> {
          String both = step(ctx, "a") + step(ctx, "b");
          ctx.awaitSignal("go", String.class);
          return both;
        });
    Await.until(id + " waits", TestNode.SOON, () -> node.describe(id).status() == Status.WAITING);
    Await.until("nothing is in memory", TestNode.SOON, () -> node.node.resident() == 0);
    Coded.put(
        id,
        ctx -> {
          String both = step(ctx, "b") + step(ctx, "a");
          ctx.awaitSignal("go", String.class);
          return both;
        });
    Coded.signal(node, id, "go", "now");
    assertThat(node.result(id)).isEqualTo("\"ba\"");
  }

  @Test
  void aStepThatComesToStandBeforeWhatTheRunWaitsForIsADrift() {
    deploy(
        "reordered-ahead",
        ctx -> {
          String both = step(ctx, "a") + step(ctx, "b");
          ctx.awaitSignal("go", String.class);
          return both;
        });
    assertThat(drift("reordered-ahead").instead())
        .extracting(Object::toString)
        .containsExactly("b#1");
  }

  @Test
  void aStepThatBecomesAnActivityIsADriftThatSaysSo() {
    deploy(
        "kind",
        ctx -> {
          String a = ctx.activity(A, "a");
          ctx.awaitSignal("go", String.class);
          return a + step(ctx, "b");
        });
    Incident.Drift drift = drift("kind");
    assertThat(drift.recorded()).isEqualTo(OperationKind.STEP);
    assertThat(drift.asked()).contains(OperationKind.ACTIVITY);
  }

  @Test
  void aStepThatMovesIntoABranchIsADrift() {
    deploy(
        "branch",
        ctx -> {
          String a = ctx.async("side", () -> step(ctx, "a")).get();
          ctx.awaitSignal("go", String.class);
          return a + step(ctx, "b");
        });
    Incident.Drift drift = drift("branch");
    assertThat(drift.operation().value()).isEqualTo("a#1");
    assertThat(drift.instead()).extracting(Object::toString).containsExactly("side#1/a#1");
  }

  private static Object guarded(WorkflowContext ctx) {
    String a = step(ctx, "a");
    String x = ctx.changed("check first") ? step(ctx, "x") : "";
    ctx.awaitSignal("go", String.class);
    return a + x + step(ctx, "b") + (ctx.changed("check first") ? "!" : "");
  }

  @Test
  void aGuardedChangeLeavesOldRunsAsTheyWereAndIsTakenByNewOnes() {
    deploy("guarded-old", ChangingCodeTest::guarded);
    assertThat(node.result("guarded-old")).isEqualTo("\"ab\"");

    Coded.begin(node, "guarded-new", ChangingCodeTest::guarded);
    Await.until("nothing is in memory", TestNode.SOON, () -> node.node.resident() == 0);
    Coded.signal(node, "guarded-new", "go", "now");
    assertThat(node.result("guarded-new")).as("replayed once").isEqualTo("\"axb!\"");
  }

  @Test
  void aGuardedChangeIsTakenByRunsThatHaveNotComeToIt() {
    deploy(
        "guarded-ahead",
        ctx -> {
          String a = step(ctx, "a");
          ctx.awaitSignal("go", String.class);
          String x = ctx.changed("check later") ? step(ctx, "x") : "";
          ctx.awaitSignal("again", String.class);
          return a + x + step(ctx, "b");
        });
    Await.until(
        "it waits again",
        TestNode.SOON,
        () -> node.events("guarded-ahead").toString().contains("signal:again"));
    Await.until("nothing is in memory", TestNode.SOON, () -> node.node.resident() == 0);
    Coded.signal(node, "guarded-ahead", "again", "now");
    assertThat(node.result("guarded-ahead")).isEqualTo("\"axb\"");
  }

  @Test
  void nothingOfADriftedRunHappensUntilItIsResolved() {
    deploy("resolved", ctx -> step(ctx, "b"));
    drift("resolved");
    Coded.signal(node, "resolved", "go", "twice");
    assertThat(node.describe("resolved").status()).isEqualTo(Status.INCIDENT);
    assertThat(node.events("resolved").stream().filter(Event.Scheduled.class::isInstance))
        .as("results are recorded, but the code learns nothing and asks for nothing")
        .hasSize(2);
    Coded.put("resolved", ChangingCodeTest::before);
    WorkflowId id = WorkflowId.of("resolved");
    assertThat(TestNode.await(node.workflows().resolveIncident(id, "mended"))).isTrue();
    assertThat(node.result("resolved")).isEqualTo("\"ab\"");
  }

  @Test
  void aDriftedRunCanAlwaysBeTerminated() {
    deploy("terminated", ctx -> step(ctx, "b"));
    drift("terminated");
    TestNode.await(node.workflows().terminate(WorkflowId.of("terminated"), "not worth it"));
    assertThat(node.end("terminated").status()).isEqualTo(Status.TERMINATED);
  }
}
