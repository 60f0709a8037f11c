package dev.tenure.examples.payment;

import dev.tenure.workflow.ActivityCode;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.Verifier.Verdict;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import java.net.ConnectException;
import java.time.Duration;
import java.util.Optional;

/** Moves money once, at a bank that does not recognise a repetition and can be asked. */
@Workflow(name = "transfer")
public final class Transfer {
  /** What the workflow knows of the activity. */
  public static final ActivityDefinition<Order, String> SEND =
      ActivityDefinition.of("send-money", Order.class, String.class)
          .keyedBy(order -> "transfer " + order.number())
          .withTimeout(Duration.ofSeconds(20));

  /** So many cents to that account. */
  public record Order(String number, String account, long cents) {}

  /** The bank's API. */
  public interface Bank {
    /** The bank's own number of the transfer. */
    String send(String reference, Order order) throws Exception;

    Optional<String> find(String reference) throws Exception;
  }

  public String run(WorkflowContext ctx, Order order) {
    return ctx.activity(SEND, order);
  }

  /** The code behind the activity. */
  public static ActivityCode<Order, String> sending(Bank bank) {
    return ActivityCode.of(SEND, (call, order) -> bank.send(call.idempotencyKey(), order))
        .noEffectOn(ConnectException.class)
        .verifiedBy(
            (call, order) ->
                bank.find(call.idempotencyKey())
                    .map(number -> Verdict.completed(number, "the bank has " + number))
                    .orElseGet(() -> Verdict.notCompleted("the bank has no such reference")));
  }
}
