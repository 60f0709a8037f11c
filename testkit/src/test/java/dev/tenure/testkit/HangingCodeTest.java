package dev.tenure.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.client.WorkflowHandle;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.kernel.Status;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The test's clock stands still while code runs; code that loops is found out all the same. */
class HangingCodeTest {
  private static final AtomicBoolean ENDS = new AtomicBoolean();

  @Workflow(name = "looping")
  public static class Looping {
    public String run(WorkflowContext ctx) {
      while (!ENDS.get()) Thread.onSpinWait();
      return ctx.step("end", () -> "ended");
    }
  }

  @RegisterExtension
  final TenureExtension tenure = TenureExtension.with(Looping.class, Looping::new);

  @Test
  void codeThatLoopsIsAnIncidentInMemoryToo(TestEngine engine) {
    WorkflowHandle<String> looping = engine.workflows().start(Looping::run, "loops");
    assertThat(looping.describe().status()).isEqualTo(Status.INCIDENT);
    ENDS.set(true);
    looping.resolveIncident("it ends now");
    assertThat(looping.result()).isEqualTo("ended");
  }
}
