package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.kernel.Event;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** One node has a workflow's code, and only the other one the code of its activities. */
class CodeElsewhereTest {
  private static final ActivityDefinition<String, String> SHOUT =
      ActivityDefinition.of("shout", String.class, String.class);
  private static final ActivityDefinition<String, String> PAY =
      ActivityDefinition.of("pay", String.class, String.class).keyed();

  private static TwoNodes nodes;

  /** Calls what its own node cannot run. */
  @Workflow(name = "caller")
  public static final class Caller {
    public String run(WorkflowContext ctx, String word) {
      return ctx.activity(SHOUT, word) + " " + ctx.activity(PAY, word);
    }
  }

  @BeforeAll
  static void start() {
    nodes =
        new TwoNodes(
            new TestNode.Plan().with(Caller.class, Caller::new),
            new TestNode.Plan()
                .with(ActivityRegistration.of(SHOUT, (call, word) -> word + "!"))
                .with(ActivityRegistration.of(PAY, (call, word) -> "paid for " + word)));
    Await.until(
        "the first node knows what the second one has",
        TestNode.SOON,
        () -> nodes.one.runtime.deployments().cluster().hasActivity("pay"));
  }

  @AfterAll
  static void stop() {
    nodes.close();
  }

  @Test
  void aCallWhoseCodeOnlyAnotherNodeHasRunsThereAndBlocksNothing() {
    String id = nodes.idOn(nodes.one, "caller");
    assertThat(nodes.one.run(id, "caller", "tea")).isEqualTo("\"tea! paid for tea\"");
    assertThat(nodes.one.events(id)).noneMatch(Event.Blocked.class::isInstance);
    assertThat(TwoNodes.owns(nodes.one, id)).as("it stays where its own code is").isTrue();
  }
}
