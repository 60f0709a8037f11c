package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.persistence.visibility.RunCount;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Status;
import org.junit.jupiter.api.Test;

/** Several versions of one workflow, on one node and on nodes that lack some of them. */
class VersionsTest {
  private static String steps(WorkflowContext ctx, String name, String version) {
    String first = ctx.step(name, () -> version);
    ctx.awaitSignal("go", String.class);
    return first + ctx.step("last", () -> version);
  }

  @Workflow(name = "shop")
  public static class One {
    public String run(WorkflowContext ctx) {
      return steps(ctx, "first", "1");
    }
  }

  @Workflow(name = "shop", version = 2)
  public static class Two {
    public String run(WorkflowContext ctx) {
      return steps(ctx, "first", "2");
    }
  }

  @Workflow(name = "shop", version = 3, compatibleWith = 2)
  public static class Three {
    public String run(WorkflowContext ctx) {
      return steps(ctx, "first", "3");
    }
  }

  @Workflow(name = "shop", version = 4)
  public static class Four {
    public String run(WorkflowContext ctx) {
      return steps(ctx, "something else", "4");
    }
  }

  private static void begin(TestNode node, String id, int version) {
    TestNode.await(
        node.workflows().start(StartRequest.of(id, "shop", TestNode.json(null)).version(version)));
    awaitStatus(node, id, Status.WAITING);
  }

  private static void awaitStatus(TestNode node, String id, Status status) {
    Await.until(id + " is " + status, TestNode.SOON, () -> node.describe(id).status() == status);
  }

  @Test
  void runsKeepTheirVersionAreServedByACompatibleOneOrWaitUntilTheyAreServed() {
    try (TestDatabase database = TestDatabase.migrated()) {
      try (TestNode old =
          TestNode.start(
              database, new TestNode.Plan().with(One.class, One::new).with(Two.class, Two::new))) {
        begin(old, "one", 1);
        begin(old, "two", 2);
        begin(old, "pinned", 1);
        Coded.signal(old, "pinned", "go", "now");
        assertThat(old.result("pinned")).as("there is a newer one").isEqualTo("\"11\"");
      }
      try (TestNode newer =
          TestNode.start(database, new TestNode.Plan().with(Three.class, Three::new))) {
        Coded.signal(newer, "two", "go", "now");
        assertThat(newer.result("two")).as("it came so far with 2").isEqualTo("\"23\"");
        awaitStatus(newer, "one", Status.BLOCKED);
        assertThat(newer.describe("one").blockReason().orElseThrow()).contains("no-worker");
        assertThat(newer.storage.workflows().openRuns())
            .containsExactly(new RunCount(new WorkflowType("shop", 1), Status.BLOCKED, 1));
      }
      try (TestNode both =
          TestNode.start(
              database,
              new TestNode.Plan().with(One.class, One::new).with(Three.class, Three::new))) {
        awaitStatus(both, "one", Status.WAITING);
        Coded.signal(both, "one", "go", "now");
        assertThat(both.result("one")).isEqualTo("\"11\"");
      }
    }
  }

  @Test
  void aRunIsMovedToAVersionThatFitsAndToNoOther() {
    try (TestNode node =
        TestNode.start(
            new TestNode.Plan()
                .with(One.class, One::new)
                .with(Two.class, Two::new)
                .with(Four.class, Four::new))) {
      begin(node, "moves", 1);
      WorkflowId id = WorkflowId.of("moves");
      assertThatThrownBy(() -> TestNode.await(node.workflows().moveToVersion(id, 4, "try")))
          .hasRootCauseInstanceOf(WorkflowError.NotNow.class)
          .hasMessageContaining("something else#1");
      assertThatThrownBy(() -> TestNode.await(node.workflows().moveToVersion(id, 9, "try")))
          .hasRootCauseInstanceOf(WorkflowError.NotNow.class);
      assertThat(node.describe("moves").type().version()).isEqualTo(1);
      assertThat(node.describe("moves").status()).isEqualTo(Status.WAITING);

      assertThat(TestNode.await(node.workflows().moveToVersion(id, 2, "newer"))).isTrue();
      assertThat(node.describe("moves").type().version()).isEqualTo(2);
      assertThat(node.storage.workflows().find(id).orElseThrow().type().version()).isEqualTo(2);
      Coded.signal(node, "moves", "go", "now");
      assertThat(node.result("moves")).isEqualTo("\"12\"");
      assertThat(node.events("moves").stream().filter(Event.Repinned.class::isInstance)).hasSize(1);
    }
  }
}
