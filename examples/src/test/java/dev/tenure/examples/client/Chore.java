package dev.tenure.examples.client;

import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import java.util.List;

/** Workflows that take nothing, or return nothing, or both. */
final class Chore {
  private Chore() {}

  @Workflow(name = "count")
  public static final class Count {
    public List<Integer> run(WorkflowContext ctx) {
      return List.of(1, 2, 3);
    }
  }

  @Workflow(name = "sweep")
  public static final class Sweep {
    public void run(WorkflowContext ctx) {
      ctx.step("sweep", () -> {});
    }
  }

  @Workflow(name = "carry")
  public static final class Carry {
    public void run(WorkflowContext ctx, List<String> things) {
      for (String thing : things) ctx.attribute("carries", thing);
    }
  }
}
