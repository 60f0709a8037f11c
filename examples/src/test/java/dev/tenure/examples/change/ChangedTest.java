package dev.tenure.examples.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.sharding.client.WorkflowHandle;
import dev.tenure.testkit.Replays;
import dev.tenure.testkit.StepRecord;
import dev.tenure.testkit.TenureExtension;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the page on changing code shows of small changes. */
class ChangedTest {
  /** As it was. */
  @Workflow(name = "delivery")
  public static class Yesterday {
    public String run(WorkflowContext ctx, String address) {
      ctx.signals("paid", Long.class).receive();
      return ctx.step("send", () -> "on its way to " + address);
    }
  }

  /** As it is now. */
  @Workflow(name = "delivery")
  public static class Today {
    public String run(WorkflowContext ctx, String address) {
      if (ctx.changed("look the address up"))
        ctx.step("look up", () -> address + " is where it was");
      ctx.signals("paid", Long.class).receive();
      return ctx.step("send", () -> "on its way to " + address);
    }
  }

  /** As it must not be. */
  @Workflow(name = "delivery")
  public static class Careless {
    public String run(WorkflowContext ctx, String address) {
      ctx.step("look up", () -> address + " is where it was");
      ctx.signals("paid", Long.class).receive();
      return ctx.step("send", () -> "on its way to " + address);
    }
  }

  @RegisterExtension final TenureExtension yesterday = TenureExtension.with(Yesterday.class);
  @RegisterExtension final TenureExtension today = TenureExtension.with(Today.class);

  @Test
  void aRunThatCamePastGoesOnWithoutTheChange() {
    WorkflowHandle<String> old =
        yesterday.engine().workflows().start(Yesterday::run, "delivery-1", "Kent");

    Replays.assertReplays(yesterday.engine().history(old), Today.class);
    assertThatThrownBy(() -> Replays.assertReplays(yesterday.engine().history(old), Careless.class))
        .hasMessageContaining("new in the code: [look up#1]");

    old.signal("paid", 120L);
    assertThat(old.result()).isEqualTo("on its way to Kent");
    Replays.assertReplays(yesterday.engine().history(old), Today.class);
  }

  @Test
  void aNewRunHasTheChange() {
    WorkflowHandle<String> order =
        today.engine().workflows().start(Today::run, "delivery-2", "Kent");
    order.signal("paid", 120L);

    assertThat(order.result()).isEqualTo("on its way to Kent");
    assertThat(today.engine().steps(order).stream().map(StepRecord::name))
        .containsExactly("look up", "send");
  }
}
