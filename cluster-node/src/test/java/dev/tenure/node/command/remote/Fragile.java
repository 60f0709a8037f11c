package dev.tenure.node.command.remote;

import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.StepOptions;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/** Asks something that may be down, and waits for a person when it is. */
@Workflow(name = "fragile")
public class Fragile {
  static final AtomicBoolean DOWN = new AtomicBoolean();

  private static final StepOptions UNTIL_SOMEBODY_LOOKS =
      StepOptions.retry(
          RetryPolicy.DEFAULT
              .backoff(Duration.ofMillis(5), 2, Duration.ofMillis(50))
              .thenIncident());

  public String run(WorkflowContext ctx) {
    String first = ctx.step("first", () -> "a");
    String asked =
        ctx.step(
            "ask",
            UNTIL_SOMEBODY_LOOKS,
            () -> {
              if (DOWN.get()) throw new IllegalStateException("it is down");
              return "b";
            });
    return first + asked;
  }
}
