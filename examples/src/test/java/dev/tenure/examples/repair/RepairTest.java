package dev.tenure.examples.repair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.examples.node.Engine;
import dev.tenure.persistence.incident.IncidentFilter;
import dev.tenure.persistence.incident.IncidentGroup;
import dev.tenure.persistence.visibility.Page;
import dev.tenure.persistence.visibility.PageRequest;
import dev.tenure.sharding.workflow.ForkRequest;
import dev.tenure.sharding.workflow.Resolution;
import dev.tenure.sharding.workflow.Workflows;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.StepOptions;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.operation.OperationId;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What the page on repairing shows. */
class RepairTest {
  static final AtomicBoolean BANK_IS_DOWN = new AtomicBoolean();

  /** Asks a bank that may be down. */
  @Workflow(name = "transfer")
  public static class Transfer {
    private static final StepOptions UNTIL_SOMEBODY_LOOKS =
        StepOptions.retry(
            RetryPolicy.DEFAULT
                .backoff(Duration.ofMillis(5), 2, Duration.ofMillis(50))
                .thenIncident());

    public String run(WorkflowContext ctx, int cents) {
      String booking = ctx.step("book", () -> "booking of " + cents);
      ctx.step("send", UNTIL_SOMEBODY_LOOKS, () -> send(cents));
      return ctx.step("confirm", () -> booking + " is confirmed");
    }

    private String send(int cents) {
      if (BANK_IS_DOWN.get()) throw new IllegalStateException("the bank is down");
      return "sent " + cents;
    }
  }

  private static <T> T await(CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(Engine.SOON.toSeconds(), TimeUnit.SECONDS).join();
  }

  @Test
  void whatStandsStillIsFoundMendedAndGoesOn() {
    BANK_IS_DOWN.set(true);
    try (Engine engine = Engine.start(node -> node.workflow(Transfer.class, Transfer::new))) {
      for (int i = 1; i <= 3; i++)
        engine.workflows().start(Transfer::run, "transfer-" + i, 100 * i);
      Workflows workflows = engine.workflows().async();
      Engine.await("three incidents", () -> count(workflows) == 3);

      Page<IncidentGroup> causes =
          await(workflows.incidentGroups(IncidentFilter.ALL, PageRequest.first(20)));
      IncidentGroup cause = causes.rows().getFirst();
      assertThat(cause.count()).isEqualTo(3);
      assertThat(cause.evidence()).contains("the bank is down");

      BANK_IS_DOWN.set(false);
      // One first, to see whether that was it.
      await(workflows.retryStep(WorkflowId.of("transfer-1"), new OperationId("send#1")));
      assertThat(engine.workflows().handle("transfer-1", String.class).result())
          .isEqualTo("booking of 100 is confirmed");

      // Then all others of that cause.
      IncidentFilter filter = IncidentFilter.ofFingerprint(cause.fingerprint());
      Page<Resolution> done =
          await(workflows.resolveIncidents(filter, "The bank is back.", PageRequest.first(100)));
      for (Resolution one : done.rows())
        assertThat(one.outcome()).isInstanceOf(Resolution.Resolved.class);
      assertThat(engine.workflows().handle("transfer-3", String.class).result())
          .isEqualTo("booking of 300 is confirmed");

      // What came out is run again by a new workflow, from there on.
      await(workflows.fork(ForkRequest.of("transfer-3", "confirm#1", "transfer-3-again")));
      assertThat(engine.workflows().handle("transfer-3-again", String.class).result())
          .isEqualTo("booking of 300 is confirmed");
    }
  }

  private static int count(Workflows workflows) {
    return await(workflows.incidents(IncidentFilter.ALL, PageRequest.first(10))).rows().size();
  }
}
