package dev.tenure.http;

import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.sharding.message.Answer;
import dev.tenure.sharding.message.Message;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.ActivityFailedException;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Reply;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Pays once, and says with which receipt, or with what it was refused. */
@Workflow(name = "payment")
public class Payment {
  static final ActivityDefinition<String, String> PAY =
      ActivityDefinition.of("pay", String.class, String.class)
          .keyed()
          .withRetry(RetryPolicy.DEFAULT.attempts(2));
  private static final Map<String, AtomicInteger> RUNS = new ConcurrentHashMap<>();
  private static final CountDownLatch NEVER = new CountDownLatch(1);

  public String run(WorkflowContext ctx) {
    try {
      return ctx.activity(PAY, ctx.info().id().value());
    } catch (ActivityFailedException e) {
      return "%s %s: %s%s"
          .formatted(
              e.failure().type(),
              e.failure().code().orElse("-"),
              e.failure().message(),
              e.failure().outside() == Failure.OutsideEffect.NONE ? " (without effect)" : "");
    }
  }

  static List<ActivityRegistration<?, ?>> activities() {
    return List.of(ActivityRegistration.of(PAY, (call, what) -> pay(what)));
  }

  /** The first call never comes back. */
  private static String pay(String what) throws InterruptedException {
    if (runs(what).incrementAndGet() == 1) NEVER.await();
    return "paid again";
  }

  /** How often the payment of this workflow was made. */
  static AtomicInteger runs(String workflow) {
    return RUNS.computeIfAbsent(workflow, first -> new AtomicInteger());
  }

  /** They stand still, because the outcomes of their payments cannot be told. */
  static void strand(Served served, String... ids) {
    Http http = served.http();
    for (String id : ids)
      http.post("/api/v1/workflows", "{\"type\":\"payment\",\"id\":\"%s\"}".formatted(id));
    for (String id : ids) {
      Await.until(() -> runs(id).get() == 1);
      Answer answer =
          Served.await(
              served
                  .node
                  .transport()
                  .ask(
                      WorkflowId.of(id),
                      replyTo -> new Message.Tell(untold(), replyTo),
                      Served.SOON));
      if (!answer.equals(new Answer.Said(Reply.DONE))) throw new AssertionError(answer);
    }
  }

  private static Command untold() {
    Failure silent =
        new Failure(
                Failure.INDETERMINATE,
                "the bank did not say",
                Optional.of("bank-silent"),
                false,
                "",
                Optional.empty())
            .with(Failure.OutsideEffect.UNPROVEN);
    return new Command.AttemptEnded(new OperationId("pay#1"), 1, new Outcome.Failed(silent));
  }
}
