package dev.tenure.client;

import dev.tenure.workflow.ActivityContext;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.ActivityFailedException;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/** Pays at a bank that may not say what became of the payment. */
@Workflow(name = "payment")
public class Payment {
  static final AtomicBoolean SILENT = new AtomicBoolean();

  /** What the bank gives for a payment. */
  public record Receipt(String number, int cents) {}

  static final ActivityDefinition<String, Receipt> PAY =
      ActivityDefinition.of("pay", String.class, Receipt.class)
          .keyed()
          .withRetry(
              dev.tenure.workflow.RetryPolicy.DEFAULT
                  .attempts(2)
                  .backoff(Duration.ofMillis(5), 1, Duration.ofMillis(5)));

  public String run(WorkflowContext ctx) {
    try {
      return ctx.activity(PAY, ctx.info().id().value()).number();
    } catch (ActivityFailedException e) {
      return "%s %s%s"
          .formatted(
              e.failure().type(),
              e.failure().code().orElse(""),
              e.failure().outside() == Failure.OutsideEffect.NONE ? " without effect" : "");
    }
  }

  static Receipt pay(ActivityContext call, String what) {
    if (SILENT.get()) throw new IllegalStateException("the bank does not answer");
    return new Receipt(what, 7);
  }
}
