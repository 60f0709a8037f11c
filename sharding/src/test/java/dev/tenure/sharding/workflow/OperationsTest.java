package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.visibility.Attributes;
import dev.tenure.persistence.visibility.PageRequest;
import dev.tenure.persistence.visibility.WorkflowFilter;
import dev.tenure.sharding.host.OwnerLimits;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.TypeRef;
import dev.tenure.workflow.UpdateRejectedException;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowFailure;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What people and programs do to workflows from outside. */
class OperationsTest {
  private static TestNode node;

  @Workflow(name = "waiting")
  public static class Waiting {
    public String run(WorkflowContext ctx) {
      return ctx.awaitSignal("go", String.class);
    }
  }

  @BeforeAll
  static void start() {
    node =
        TestNode.start(
            new TestNode.Plan().with(Coded.class, Coded::new).with(Waiting.class, Waiting::new));
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static void begin(String id, Function<WorkflowContext, Object> code) {
    Coded.begin(node, id, code);
  }

  private static void signal(String id, String name, Object value) {
    Coded.signal(node, id, name, value);
  }

  @Test
  void queriesSeeWhatTheCodeKnows() {
    begin(
        "queried",
        ctx -> {
          int[] count = {0};
          ctx.onQuery("count", () -> count[0]);
          ctx.onQuery("plus", TypeRef.of(Integer.class), more -> count[0] + more);
          ctx.onQuery("nosy", () -> ctx.step("forbidden", () -> 1));
          count[0] = ctx.step("three", () -> 3);
          return ctx.awaitSignal("go", String.class);
        });
    signal("queried", "other", 1);
    WorkflowId id = WorkflowId.of("queried");
    Await.until(
        "it waits", TestNode.SOON, () -> node.describe("queried").status() == Status.WAITING);
    assertThat(
            TestNode.text(TestNode.await(node.workflows().query(id, "count", TestNode.json(null)))))
        .isEqualTo("3");
    assertThat(TestNode.text(TestNode.await(node.workflows().query(id, "plus", TestNode.json(4)))))
        .isEqualTo("7");
    assertThatThrownBy(
            () -> TestNode.await(node.workflows().query(id, "none", TestNode.json(null))))
        .hasCauseInstanceOf(WorkflowError.NoSuchQuery.class);
    assertThatThrownBy(
            () -> TestNode.await(node.workflows().query(id, "nosy", TestNode.json(null))))
        .hasCauseInstanceOf(WorkflowError.QueryFailed.class)
        .hasMessageContaining("only reads");
    signal("queried", "go", "bye");
    assertThat(node.result("queried")).isEqualTo("\"bye\"");
  }

  @Test
  void updatesAreValidatedAnsweredAndNeverDoubled() {
    begin(
        "updated",
        ctx -> {
          int[] sum = {0};
          ctx.onUpdate(
              "add",
              Integer.class,
              number -> {
                if (number < 0) throw new UpdateRejectedException("negative");
              },
              number -> {
                sum[0] += ctx.step("add", () -> number);
                return sum[0];
              });
          ctx.await(() -> sum[0] >= 10);
          return sum[0];
        });
    WorkflowId id = WorkflowId.of("updated");
    assertThat(update(id, "u1", 4)).isEqualTo("4");
    assertThat(update(id, "u1", 4)).isEqualTo("4");
    Outcome refused = TestNode.await(node.workflows().update(id, "u2", "add", TestNode.json(-1)));
    assertThat(((Outcome.Failed) refused).failure().message()).isEqualTo("negative");
    assertThat(update(id, "u3", 6)).isEqualTo("10");
    assertThat(node.result("updated")).isEqualTo("10");
  }

  /** Nobody waits for their answers any more, so they take no room from others. */
  @Test
  void manyRejectedUpdatesKeepNobodyOut() {
    Coded.begin(
        node,
        "strict",
        ctx -> {
          ctx.onUpdate(
              "add",
              dev.tenure.workflow.TypeRef.of(Integer.class),
              number -> {
                throw new dev.tenure.workflow.UpdateRejectedException("no");
              },
              number -> number);
          return ctx.awaitSignal("go", String.class);
        });
    for (int i = 0; i <= OwnerLimits.DEFAULT.replies(); i++) {
      Outcome refused =
          TestNode.await(
              node.workflows().update(WorkflowId.of("strict"), "u" + i, "add", TestNode.json(i)));
      assertThat(((Outcome.Failed) refused).failure().message()).isEqualTo("no");
    }
  }

  private static String update(WorkflowId id, String updateId, int number) {
    Outcome outcome =
        TestNode.await(node.workflows().update(id, updateId, "add", TestNode.json(number)));
    return TestNode.text(((Outcome.Succeeded) outcome).value());
  }

  @Test
  void attributesFindAWorkflow() {
    Coded.run(
        node,
        "found",
        ctx -> {
          ctx.attribute("customer", "c-77");
          ctx.step("one", () -> 1);
          ctx.attributes(Map.of("size", 3));
          return null;
        });
    var filter = WorkflowFilter.ALL.withType("coded").with(Attributes.of("customer", "c-77"));
    var page = TestNode.await(node.workflows().list(filter, PageRequest.first(10)));
    assertThat(page.rows()).hasSize(1);
    assertThat(page.rows().getFirst().status()).isEqualTo(Status.COMPLETED);
    assertThat(page.rows().getFirst().attributes().values()).containsKey("size");
  }

  @Test
  void aPausedWorkflowGoesOnWhenItIsResumed() {
    begin(
        "paused",
        ctx -> {
          String word = ctx.awaitSignal("go", String.class);
          return ctx.step("after", () -> word + "!");
        });
    WorkflowId id = WorkflowId.of("paused");
    assertThat(TestNode.await(node.workflows().pause(id, "look"))).isTrue();
    signal("paused", "go", "on");
    Await.until(
        "the signal is recorded", TestNode.SOON, () -> node.describe("paused").open().isEmpty());
    assertThat(node.describe("paused").status()).isEqualTo(Status.PAUSED);
    assertThat(TestNode.await(node.workflows().resume(id))).isTrue();
    assertThat(node.result("paused")).isEqualTo("\"on!\"");
  }

  @Test
  void aTerminatedWorkflowIsOverAtOnce() {
    node.begin("stopped", "waiting", null);
    assertThat(TestNode.await(node.workflows().terminate(WorkflowId.of("stopped"), "enough")))
        .isTrue();
    assertThat(node.end("stopped").outcome()).isEqualTo(new Outcome.Terminated("enough"));
    assertThatThrownBy(
            () -> TestNode.await(node.workflows().cancel(WorkflowId.of("stopped"), "again")))
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(WorkflowError.HasEnded.class);
  }

  @Test
  void anExecutionTimeoutEndsIt() {
    Coded.put("late", ctx -> ctx.awaitSignal("never", String.class));
    TestNode.await(
        node.workflows()
            .start(
                StartRequest.of("late", "coded", TestNode.json(null))
                    .executionTimeout(Duration.ofMillis(150))));
    assertThat(node.end("late").status()).isEqualTo(Status.TIMED_OUT);
  }

  @Test
  void aFailureSaysWhatFailed() {
    begin(
        "failing",
        ctx -> {
          throw WorkflowFailure.permanent("E7", "on purpose");
        });
    Outcome outcome = node.end("failing").outcome();
    assertThat(((Outcome.Failed) outcome).failure().type())
        .isEqualTo(WorkflowFailure.class.getName());
    assertThat(((Outcome.Failed) outcome).failure().message()).isEqualTo("on purpose");
    assertThat(((Outcome.Failed) outcome).failure().code()).contains("E7");
  }

  @Test
  void whoAsksForAnUnknownWorkflowIsTold() {
    assertThatThrownBy(() -> node.describe("no-such"))
        .hasCauseInstanceOf(WorkflowError.NotFound.class);
    assertThatThrownBy(() -> TestNode.await(node.workflows().cancel(WorkflowId.of("nix"), "x")))
        .hasCauseInstanceOf(WorkflowError.NotFound.class);
  }

  @Test
  void aTypeWithoutCodeBlocksVisibly() {
    node.begin("codeless", "no-such-type", null);
    Await.until(
        "it is blocked", TestNode.SOON, () -> node.describe("codeless").status() == Status.BLOCKED);
    assertThat(node.describe("codeless").blockReason().orElse(""))
        .contains("no-worker")
        .contains("No node has no-such-type");
    TestNode.await(node.workflows().terminate(WorkflowId.of("codeless"), "enough"));
  }
}
