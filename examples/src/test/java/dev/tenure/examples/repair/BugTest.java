package dev.tenure.examples.repair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.client.WorkflowHandle;
import dev.tenure.testkit.TenureExtension;
import dev.tenure.testkit.TestEngine;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.kernel.Status;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A deployment with a bug, and the one after it. */
class BugTest {
  private static final AtomicBoolean MENDED = new AtomicBoolean();

  @Workflow(name = "sending")
  public static class Sending {
    public String run(WorkflowContext ctx, String address) {
      String parcel = ctx.step("pack", () -> "parcel");
      String to =
          MENDED.get()
              ? Objects.requireNonNullElse(address, "nobody")
              : Objects.requireNonNull(address, "no address");
      return ctx.step("send " + parcel, () -> "sent to " + to);
    }
  }

  @RegisterExtension final TenureExtension tenure = TenureExtension.with(Sending.class);

  @Test
  void aBugStopsTheWorkflowAndTheNextDeploymentGoesOn(TestEngine engine) {
    MENDED.set(false);
    WorkflowHandle<String> order = engine.workflows().start(Sending::run, "order-9", null);
    assertThat(order.describe().status()).isEqualTo(Status.INCIDENT);
    assertThat(order.describe().incident().orElseThrow().message())
        .contains("java.lang.NullPointerException: no address");
    // The mended code is deployed.
    MENDED.set(true);
    assertThat(order.resolveIncident("Orders may have no address.")).isTrue();
    assertThat(order.result()).isEqualTo("sent to nobody");
  }
}
