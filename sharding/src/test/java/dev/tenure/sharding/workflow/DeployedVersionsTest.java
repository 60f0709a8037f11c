package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.message.Description;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.ChildCall;
import dev.tenure.workflow.StartPolicy;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Status;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two nodes with different code: of which version runs are, and where they go on. */
class DeployedVersionsTest {
  @Workflow(name = "shop")
  public static class One {
    public String run(WorkflowContext ctx) {
      return "one";
    }
  }

  @Workflow(name = "shop", version = 2)
  public static class Two {
    public String run(WorkflowContext ctx) {
      return "two";
    }
  }

  @Workflow(name = "mall")
  public static class Parent {
    public String run(WorkflowContext ctx, String child) {
      return ctx.child(ChildCall.to("shop", String.class).id(child));
    }
  }

  @Workflow(name = "endless")
  public static class EndlessOne {
    public String run(WorkflowContext ctx, Integer rounds) {
      ctx.signals("next", String.class).receive();
      if (rounds == 0) return "1";
      return ctx.<String>continueAsNew(rounds - 1);
    }
  }

  @Workflow(name = "endless", version = 2)
  public static class EndlessTwo {
    public String run(WorkflowContext ctx, Integer rounds) {
      ctx.signals("next", String.class).receive();
      if (rounds == 0) return "2";
      return ctx.<String>continueAsNew(rounds - 1);
    }
  }

  private static TestNode.Plan yesterday() {
    return new TestNode.Plan().with(One.class, One::new).with(EndlessOne.class, EndlessOne::new);
  }

  private static TestNode.Plan today() {
    return yesterday().with(Two.class, Two::new).with(EndlessTwo.class, EndlessTwo::new);
  }

  private static void awaitKnown(TestNode... nodes) {
    for (TestNode node : nodes)
      Await.until(
          "a node knows the code of all nodes",
          TestNode.SOON,
          () -> node.runtime.deployments().cluster().nodes().size() == nodes.length);
  }

  private static int version(TestNode node, String id) {
    return node.storage.workflows().find(WorkflowId.of(id)).orElseThrow().type().version();
  }

  @Test
  void aStartThatANodeWithoutTheTypeReceivesIsOfTheDeployedVersion() {
    try (TwoNodes nodes =
        new TwoNodes(
            new TestNode.Plan().with(Parent.class, Parent::new),
            new TestNode.Plan().with(Two.class, Two::new))) {
      awaitKnown(nodes.one, nodes.two);
      String id = nodes.idOn(nodes.two, "shop");
      assertThat(nodes.one.run(id, "shop", null)).isEqualTo("\"two\"");
      assertThat(version(nodes.one, id)).isEqualTo(2);

      String child = nodes.idOn(nodes.two, "child");
      assertThat(nodes.one.run(nodes.idOn(nodes.one, "mall"), "mall", child)).isEqualTo("\"two\"");
      assertThat(version(nodes.one, child)).isEqualTo(2);
    }
  }

  @Test
  void aNewVersionIsGivenToStartsWhenEveryNodeThatHasTheTypeCanRunIt() {
    try (TwoNodes nodes = new TwoNodes(yesterday(), today())) {
      awaitKnown(nodes.one, nodes.two);
      for (TestNode from : List.of(nodes.one, nodes.two))
        for (TestNode owner : List.of(nodes.one, nodes.two)) {
          String id = nodes.idOn(owner, "shop-" + from.hashCode());
          assertThat(from.run(id, "shop", null)).isEqualTo("\"one\"");
        }
      String again = nodes.idOn(nodes.two, "again");
      nodes.one.run(again, "shop", null);
      String endless = nodes.idOn(nodes.two, "endless");
      nodes.one.begin(endless, "endless", 2);
      Coded.signal(nodes.one, endless, "next", "go");
      Await.until(
          "the second run has begun",
          TestNode.SOON,
          () ->
              nodes.two.events(endless).stream().anyMatch(Event.ContinuedAsNew.class::isInstance));
      assertThat(version(nodes.two, endless)).isEqualTo(1);

      nodes.one.stop();
      awaitKnown(nodes.two);
      assertThat(nodes.two.run("later", "shop", null)).isEqualTo("\"two\"");
      TestNode.await(
          nodes
              .two
              .workflows()
              .start(
                  StartRequest.of(again, "shop", TestNode.json(null))
                      .ifTaken(StartPolicy.ALLOW_IF_CLOSED)));
      assertThat(nodes.two.result(again)).isEqualTo("\"two\"");
      Coded.signal(nodes.two, endless, "next", "go");
      Coded.signal(nodes.two, endless, "next", "go");
      assertThat(nodes.two.result(endless)).isEqualTo("\"2\"");
    }
  }

  @Test
  void aStartThatNamesAVersionRunsWhereThatIsAlsoWhenAnotherNodeOwnsIt() {
    try (TwoNodes nodes = new TwoNodes(yesterday(), today())) {
      awaitKnown(nodes.one, nodes.two);
      String id = nodes.idOn(nodes.one, "shop");
      TestNode.await(
          nodes.one.workflows().start(StartRequest.of(id, "shop", TestNode.json(null)).version(2)));
      Await.until(
          "it says what it waits for or has found it",
          TestNode.SOON,
          () -> {
            Description it = nodes.two.describe(id);
            return it.status() == Status.COMPLETED
                || it.blockReason().orElse("").contains("shop v2 is on " + shown(nodes.two));
          });

      assertThat(nodes.two.result(id)).isEqualTo("\"two\"");
      assertThat(TwoNodes.owns(nodes.two, id)).isTrue();
      // What the node with the old code still owns, or owned, runs on.
      assertThat(nodes.one.run(nodes.idOn(nodes.one, "beside"), "shop", null)).isEqualTo("\"one\"");
    }
  }

  @Test
  void aStartOfATypeThatNoNodeHasGetsItsVersionWhenOneComes() {
    try (TestDatabase database = TestDatabase.migrated()) {
      TestNode one = TestNode.start(database, new TestNode.Plan().with(Parent.class, Parent::new));
      one.begin("shop-1", "shop", null);
      one.begin("mall-1", "mall", "child-1");
      for (String id : List.of("shop-1", "child-1"))
        Await.until(
            id + " is blocked",
            TestNode.SOON,
            () ->
                one.storage
                    .workflows()
                    .find(WorkflowId.of(id))
                    .filter(row -> row.status() == Status.BLOCKED)
                    .isPresent());
      Description blocked = one.describe("shop-1");
      assertThat(blocked.type()).isEqualTo(new WorkflowType("shop", WorkflowType.UNDECIDED));
      assertThat(blocked.blockReason().orElseThrow())
          .startsWith("no-worker")
          .contains("shop", "Its owner is " + shown(one), "No node has shop");

      TestNode two =
          TestNode.start(
              database,
              new TestNode.Plan().with(Parent.class, Parent::new).with(Two.class, Two::new));
      // The first node stays: its shards go to the one that has all that it has, and the type.
      for (String id : List.of("shop-1", "child-1")) {
        Await.until(
            id + " has ended",
            TestNode.SOON,
            () -> one.storage.workflows().find(WorkflowId.of(id)).orElseThrow().status().isFinal());
        assertThat(version(one, id)).isEqualTo(2);
        assertThat(one.events(id).stream().filter(Event.Repinned.class::isInstance)).hasSize(1);
      }
      assertThat(one.result("shop-1")).isEqualTo("\"two\"");
      assertThat(one.result("mall-1")).isEqualTo("\"two\"");
      one.stop();
      two.stop();
    }
  }

  private static String shown(TestNode node) {
    return node.runtime.deployments().cluster().here();
  }
}
