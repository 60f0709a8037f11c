package dev.tenure.node.command.remote;

import dev.tenure.workflow.ActivityContext;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.ActivityFailedException;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/** Pays at a bank that may not say what became of the payment. */
@Workflow(name = "payment")
public class Payment {
  static final AtomicBoolean SILENT = new AtomicBoolean();

  static final ActivityDefinition<String, String> PAY =
      ActivityDefinition.of("pay", String.class, String.class)
          .keyed()
          .withRetry(
              RetryPolicy.DEFAULT
                  .attempts(2)
                  .backoff(Duration.ofMillis(5), 1, Duration.ofMillis(5)));

  public String run(WorkflowContext ctx) {
    try {
      return ctx.activity(PAY, ctx.info().id().value());
    } catch (ActivityFailedException e) {
      return "%s: %s%s"
          .formatted(
              e.failure().type(),
              e.failure().message(),
              e.failure().outside() == Failure.OutsideEffect.NONE ? ", without effect" : "");
    }
  }

  static String pay(ActivityContext call, String what) {
    if (SILENT.get()) throw new IllegalStateException("the bank does not answer");
    return "paid " + what;
  }
}
