package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.visibility.PageRequest;
import dev.tenure.persistence.visibility.WorkflowFilter;
import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Status;
import org.junit.jupiter.api.Test;

/**
 * Of two nodes one has the new code; what needs it waits, visibly, until that node has its shard.
 */
class RollingUpgradeTest {
  private static final ActivityDefinition<String, String> GREET =
      ActivityDefinition.of("greet", String.class, String.class);

  @Workflow(name = "newcomer")
  public static final class Newcomer {
    public String run(WorkflowContext ctx) {
      return ctx.step("one", () -> "new");
    }
  }

  @Test
  void whatAnOldNodeCannotRunGoesOnBesideIt() {
    TestNode.Plan before = new TestNode.Plan().with(Coded.class, Coded::new);
    TestNode.Plan after =
        new TestNode.Plan()
            .with(Coded.class, Coded::new)
            .with(Newcomer.class, Newcomer::new)
            .with(ActivityRegistration.of(GREET, (context, name) -> "hello " + name));
    try (TwoNodes cluster = new TwoNodes(before, after)) {
      TestNode old = cluster.one;
      TestNode fresh = cluster.two;
      String type = cluster.idOn(old, "type");
      String activity = cluster.idOn(old, "activity");
      Coded.put(activity, ctx -> ctx.activity(GREET, "Ada"));
      // The nodes tell each other what they have with their beats.
      Await.until(
          "the old node knows what the other one has",
          TestNode.SOON,
          () -> old.runtime.deployments().cluster().hasActivity(GREET.name()));
      fresh.begin(type, "newcomer", null);
      fresh.begin(activity, "coded", null);
      Await.until(
          type + " is blocked, or was",
          TestNode.SOON,
          () -> fresh.events(type).stream().anyMatch(event -> event instanceof Event.Blocked));
      // On the node that has the code nothing is held up.
      assertThat(fresh.run(cluster.idOn(fresh, "beside"), "newcomer", null)).isEqualTo("\"new\"");

      // The old node stays, and keeps the shards in which nothing waits.
      Await.until("both are done", TestNode.SOON, () -> completed(fresh) == 3);
      assertThat(fresh.result(type)).isEqualTo("\"new\"");
      assertThat(fresh.result(activity)).isEqualTo("\"hello Ada\"");
      assertThat(fresh.events(activity))
          .as("the old node calls what the other one has")
          .noneMatch(event -> event instanceof Event.Blocked);
    }
  }

  private static int completed(TestNode node) {
    return TestNode.await(
            node.workflows()
                .list(WorkflowFilter.ALL.withStatus(Status.COMPLETED), PageRequest.first(10)))
        .rows()
        .size();
  }
}
