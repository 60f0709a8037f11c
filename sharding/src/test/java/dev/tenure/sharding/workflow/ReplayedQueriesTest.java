package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.CancelledException;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowFailure;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Status;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Workflows whose code is not at work still answer: from a replay that changes nothing. */
class ReplayedQueriesTest {
  private static TestDatabase database;
  private static TestNode node;

  /** A type that only some nodes have. */
  @Workflow(name = "rare")
  public static class Rare {
    public String run(WorkflowContext ctx) {
      ctx.onQuery("name", () -> "rare");
      return "done";
    }
  }

  @BeforeAll
  static void start() {
    database = TestDatabase.migrated();
    node = TestNode.start(database, plan().with(Rare.class, Rare::new));
  }

  private static TestNode.Plan plan() {
    return new TestNode.Plan()
        .with(Coded.class, Coded::new)
        .settings(given -> given.withCodeLimit(Duration.ofSeconds(1)));
  }

  @AfterAll
  static void stop() {
    node.close();
    database.close();
  }

  private static void begin(String id, Function<WorkflowContext, Object> code) {
    Coded.begin(node, id, code);
  }

  private static String query(String id, String name) {
    return TestNode.text(
        TestNode.await(node.workflows().query(WorkflowId.of(id), name, TestNode.json(null))));
  }

  private static void awaitStatus(String id, Status status) {
    Await.until(id + " is " + status, TestNode.SOON, () -> node.describe(id).status() == status);
  }

  @Test
  void whatHasEndedTellsWhatItKnewAndRunsNothingAgain() {
    AtomicInteger steps = new AtomicInteger();
    begin(
        "ended",
        ctx -> {
          int[] sum = {0};
          ctx.onQuery("sum", () -> sum[0]);
          ctx.onQuery("now", () -> ctx.now().toString());
          ctx.onQuery("step", () -> ctx.step("forbidden", () -> 1));
          for (int i = 0; i < 3; i++) sum[0] += ctx.step("count", steps::incrementAndGet);
          return "done";
        });
    assertThat(node.result("ended")).isEqualTo("\"done\"");
    int commits = node.commits("ended");
    for (int i = 0; i < 3; i++) assertThat(query("ended", "sum")).isEqualTo("6");
    assertThat(query("ended", "now")).isNotEmpty();
    assertThatThrownBy(() -> query("ended", "none"))
        .hasCauseInstanceOf(WorkflowError.NoSuchQuery.class);
    assertThatThrownBy(() -> query("ended", "step"))
        .hasCauseInstanceOf(WorkflowError.QueryFailed.class)
        .hasMessageContaining("only reads");
    assertThat(steps).hasValue(3);
    assertThat(node.commits("ended")).isEqualTo(commits);
  }

  @Test
  void failedTerminatedAndCancelledOnesAnswerToo() {
    begin(
        "failed",
        ctx -> {
          ctx.onQuery("stage", () -> "failing");
          throw WorkflowFailure.permanent("no", "as it should");
        });
    node.end("failed");
    assertThat(query("failed", "stage")).isEqualTo("\"failing\"");
    for (String id : new String[] {"terminated", "cancelled"}) {
      begin(
          id,
          ctx -> {
            String[] stage = {"begun"};
            ctx.onQuery("stage", () -> stage[0]);
            ctx.step("one", () -> 1);
            stage[0] = "waits";
            try {
              return ctx.awaitSignal("go", String.class);
            } catch (CancelledException e) {
              stage[0] = "cancelled";
              throw e;
            }
          });
      awaitStatus(id, Status.WAITING);
    }
    TestNode.await(node.workflows().terminate(WorkflowId.of("terminated"), "enough"));
    assertThat(query("terminated", "stage")).isEqualTo("\"waits\"");
    TestNode.await(node.workflows().cancel(WorkflowId.of("cancelled"), "enough"));
    node.end("cancelled");
    assertThat(query("cancelled", "stage")).isEqualTo("\"cancelled\"");
  }

  /** The client is told of the hole, and not of an event behind it that does not fit. */
  @Test
  void oneWithAHoleInItsHistorySaysSo() {
    begin(
        "holed",
        ctx -> {
          int[] sum = {0};
          ctx.onQuery("sum", () -> sum[0]);
          for (int i = 0; i < 3; i++) sum[0] += ctx.step("count", () -> 1);
          return "done";
        });
    node.end("holed");
    database.execute(
        "DELETE FROM event_journal WHERE persistence_id = 'holed' AND sequence_number =" + " 3");
    assertThatThrownBy(() -> query("holed", "sum"))
        .hasCauseInstanceOf(WorkflowError.NotNow.class)
        .hasMessageContaining("version 3");
  }

  @Test
  void theNewestRunAnswers() {
    begin(
        "renewed",
        ctx -> {
          String run = ctx.info().runId();
          ctx.onQuery("run", () -> run);
          if (ctx.step("first", () -> node.commits("renewed")) < 3) ctx.continueAsNew(null);
          return run;
        });
    String last = node.result("renewed");
    assertThat(query("renewed", "run")).isEqualTo(last);
  }

  @Test
  void anIncidentDoesNotSilenceIt() {
    AtomicBoolean mended = new AtomicBoolean();
    AtomicInteger steps = new AtomicInteger();
    begin(
        "stuck",
        ctx -> {
          String[] stage = {"begun"};
          ctx.onQuery("stage", () -> stage[0]);
          ctx.step("one", steps::incrementAndGet);
          stage[0] = "one is done";
          ctx.awaitSignal("go", String.class);
          while (!mended.get()) Thread.onSpinWait();
          return stage[0];
        });
    awaitStatus("stuck", Status.WAITING);
    Coded.signal(node, "stuck", "go", "!");
    awaitStatus("stuck", Status.INCIDENT);
    assertThat(query("stuck", "stage")).isEqualTo("\"one is done\"");
    assertThat(query("stuck", "stage")).isEqualTo("\"one is done\"");
    assertThat(node.describe("stuck").status()).isEqualTo(Status.INCIDENT);
    mended.set(true);
    TestNode.await(node.workflows().resolveIncident(WorkflowId.of("stuck"), "mended"));
    assertThat(node.result("stuck")).isEqualTo("\"one is done\"");
    assertThat(steps).hasValue(1);
  }

  @Test
  void aPausedOneAnswers() {
    begin(
        "paused",
        ctx -> {
          ctx.onQuery("stage", () -> "waits");
          return ctx.awaitSignal("go", String.class);
        });
    awaitStatus("paused", Status.WAITING);
    TestNode.await(node.workflows().pause(WorkflowId.of("paused"), "a while"));
    assertThat(query("paused", "stage")).isEqualTo("\"waits\"");
  }

  @Test
  void codeThatDoesNotFitOrIsNotHereSaysSo() {
    begin(
        "drifts",
        ctx -> {
          ctx.onQuery("stage", () -> "before");
          ctx.step("before", () -> 1);
          return "done";
        });
    node.result("drifts");
    Coded.put(
        "drifts",
        ctx -> {
          ctx.onQuery("stage", () -> "after");
          return ctx.step("after", () -> "done");
        });
    assertThatThrownBy(() -> query("drifts", "stage"))
        .hasCauseInstanceOf(WorkflowError.NotNow.class)
        .hasMessageContaining("does not fit its history");

    node.run("rare-one", "rare", null);
    node.close();
    node = TestNode.start(database, plan());
    assertThatThrownBy(() -> query("rare-one", "name"))
        .hasCauseInstanceOf(WorkflowError.NotNow.class)
        .hasMessageContaining("does not have the code of rare");
  }

  @Test
  void aReplayThatDoesNotComeBackIsGivenUp() {
    AtomicBoolean loops = new AtomicBoolean();
    AtomicBoolean end = new AtomicBoolean();
    begin(
        "loops",
        ctx -> {
          ctx.onQuery("stage", () -> "done");
          ctx.step("one", () -> 1);
          while (loops.get() && !end.get()) Thread.onSpinWait();
          return "done";
        });
    node.result("loops");
    loops.set(true);
    int before = node.node.spinners();
    assertThatThrownBy(() -> query("loops", "stage"))
        .hasCauseInstanceOf(WorkflowError.NotNow.class)
        .hasMessageContaining("did not come back");
    for (int i = 0; i < 4; i++)
      assertThatThrownBy(() -> query("loops", "stage"))
          .hasCauseInstanceOf(WorkflowError.NotNow.class)
          .hasMessageContaining("still runs");
    assertThat(node.node.spinners() - before).isLessThanOrEqualTo(1);
    assertThat(node.end("loops").status()).isEqualTo(Status.COMPLETED);
    loops.set(false);
    end.set(true);
    Await.until("its thread has ended", TestNode.SOON, () -> node.node.spinners() <= before);
    assertThat(query("loops", "stage")).isEqualTo("\"done\"");
  }

  @Test
  void aTerminatedOneTellsNothingThatItsCodeWasNeverTold() {
    StepGate gate = new StepGate();
    begin(
        "never told",
        ctx -> {
          String[] stage = {"begun"};
          ctx.onQuery("stage", () -> stage[0]);
          stage[0] = ctx.async("gate", () -> ctx.step("gate", gate::pass)).get();
          return "done";
        });
    gate.awaitArrival();
    TestNode.await(node.workflows().pause(WorkflowId.of("never told"), "a while"));
    gate.open();
    StepGate.awaitCompleted(node, "never told", "gate#1/gate#1");
    TestNode.await(node.workflows().terminate(WorkflowId.of("never told"), "enough"));
    assertThat(query("never told", "stage")).isEqualTo("\"begun\"");
  }
}
