package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.kernel.Status;
import org.junit.jupiter.api.Test;

/** From a start to a result, on a real database. */
class FirstWorkflowTest {
  @Workflow(name = "greeting")
  public static class Greeting {
    public String run(WorkflowContext ctx, String name) {
      String text = ctx.step("compose", () -> "Hello " + name);
      return ctx.step("shout", () -> text.toUpperCase(java.util.Locale.ROOT) + "!");
    }
  }

  @Test
  void twoStepsAreThreeCommits() {
    try (TestNode node = TestNode.start(new TestNode.Plan().with(Greeting.class, Greeting::new))) {
      assertThat(node.run("g-1", "greeting", "Ada")).isEqualTo("\"HELLO ADA!\"");
      assertThat(node.commits("g-1")).isEqualTo(3);
      assertThat(node.describe("g-1").status()).isEqualTo(Status.COMPLETED);
      assertThat(node.describe("g-1").version()).isEqualTo(3);
    }
  }
}
