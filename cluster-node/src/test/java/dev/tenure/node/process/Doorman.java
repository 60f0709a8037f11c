package dev.tenure.node.process;

import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowModule;
import java.time.Duration;

/** What the node processes of these tests find on their class path. */
public final class Doorman implements WorkflowModule {
  @Override
  public void register(Registry registry) {
    registry.workflow(Visit.class);
  }

  /** Greets, waits a moment, and sees the guest out. */
  @Workflow(name = "visit")
  public static final class Visit {
    public String run(WorkflowContext ctx, String guest) {
      ctx.step("greet", () -> System.out.println("welcome, " + guest));
      ctx.sleep(Duration.ofSeconds(5));
      ctx.step("see-out", () -> System.out.println("goodbye, " + guest));
      return guest + " was here";
    }
  }
}
