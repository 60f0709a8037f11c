package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.code.PayloadCodec;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowRegistration;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.operation.Outcome;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Nodes that stop between the signals of a workflow, and code that does not come back. */
class FaultsTest {
  private static final AtomicInteger STEPS = new AtomicInteger();
  private WorkflowNode node;

  @Workflow(name = "relay", version = 1)
  public static final class Relay {
    public String run(WorkflowContext ctx) {
      StringBuilder all = new StringBuilder();
      for (int i = 0; i < 3; i++) {
        all.append(
            ctx.step(
                "step",
                () -> {
                  STEPS.incrementAndGet();
                  return "s";
                }));
        all.append(ctx.awaitSignal("go", String.class));
      }
      return all.toString();
    }
  }

  @Workflow(name = "spins", version = 1)
  public static final class Spins {
    private static volatile boolean ends;

    public String run(WorkflowContext ctx) {
      while (!ends) Thread.onSpinWait();
      return "late";
    }
  }

  @BeforeEach
  void open() {
    STEPS.set(0);
    Spins.ends = false;
    node =
        new WorkflowNode(
            List.of(
                WorkflowRegistration.of(Relay.class, Relay::new),
                WorkflowRegistration.of(Spins.class, Spins::new)),
            List.of());
  }

  @AfterEach
  void close() {
    Spins.ends = true;
    node.close();
  }

  @Test
  void aNodeThatStopsAtEveryWaitChangesNothing() {
    node.start("relay", "relay", null);
    for (int i = 0; i < 3; i++) {
      int steps = i + 1;
      Await.until("step " + steps, WorkflowNode.SOON, () -> STEPS.get() == steps);
      awaitStatus("relay", Status.WAITING);
      node.stop();
      node.start();
      WorkflowNode.get(
          node.workflows.signal(WorkflowId.of("relay"), "go", Optional.of("s" + i), "" + i));
    }

    Outcome.Succeeded outcome = (Outcome.Succeeded) node.result("relay");
    assertThat(PayloadCodec.standard().read(outcome.value(), String.class, "the result"))
        .isEqualTo("s0s1s2");
    assertThat(STEPS).hasValue(3);
  }

  @Test
  void codeThatSpinsBecomesAnIncidentAndCanBeTerminated() {
    node.start("spins", "spins", null);
    awaitStatus("spins", Status.INCIDENT);

    WorkflowNode.get(node.workflows.terminate(WorkflowId.of("spins"), "enough"));

    assertThat(node.result("spins")).isEqualTo(new Outcome.Terminated("enough"));
  }

  private void awaitStatus(String id, Status status) {
    Await.until(
        id + " is " + status, WorkflowNode.SOON, () -> node.describe(id).status() == status);
  }
}
