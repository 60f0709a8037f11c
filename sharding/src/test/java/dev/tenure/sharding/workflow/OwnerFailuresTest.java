package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.UndeliverableException;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Status;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What an owner cannot encode or perform ends in an incident or a failure, never in restarts. */
class OwnerFailuresTest {
  private static TestNode node;

  @BeforeAll
  static void start() {
    node =
        TestNode.start(
            new TestNode.Plan()
                .with(Coded.class, Coded::new)
                .settings(given -> given.withRecoveryPause(Duration.ofMillis(50))));
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static void terminate(String id) {
    assertThat(TestNode.await(node.workflows().terminate(WorkflowId.of(id), "enough"))).isTrue();
    assertThat(node.end(id).status()).isEqualTo(Status.TERMINATED);
  }

  @Test
  void aMessageThatCannotBeMadeIsAFailureInTheCode() {
    Coded.begin(
        node,
        "long-reason",
        ctx -> {
          try {
            ctx.cancelWorkflow(WorkflowId.of("other"), "a".repeat(5_000));
            return "sent";
          } catch (UndeliverableException refused) {
            return refused.getMessage();
          }
        });
    assertThat(node.result("long-reason")).contains("REASON");
  }

  @Test
  void itIsTerminatedBesideAMessageThatCannotBeMade() {
    Coded.begin(
        node,
        "stubborn",
        ctx -> {
          ctx.async(
              "tells",
              () -> {
                ctx.cancelWorkflow(WorkflowId.of("other"), "a".repeat(5_000));
                return 1;
              });
          return ctx.awaitSignal("end", String.class);
        });
    terminate("stubborn");
  }

  /** The record has no place for a text that is not there. */
  @Test
  void whatCannotBeEncodedIsAnIncidentAfterSomeTries() {
    AtomicInteger ran = new AtomicInteger();
    AtomicInteger begun = new AtomicInteger();
    AtomicInteger mended = new AtomicInteger();
    Coded.begin(
        node,
        "no-text",
        ctx -> {
          ctx.step("before", ran::incrementAndGet);
          begun.incrementAndGet();
          String reason = mended.get() == 0 ? null : "a reason";
          try {
            ctx.cancelWorkflow(WorkflowId.of("other"), reason);
          } catch (UndeliverableException nobody) {
            return "nobody is there";
          }
          return "sent";
        });
    Await.until(
        "it is an incident",
        TestNode.SOON,
        () -> node.describe("no-text").status() == Status.INCIDENT);
    assertThat(node.describe("no-text").incident().orElseThrow().kind())
        .isEqualTo(RunTakeUp.OWNER_FAILS);
    int tries = begun.get();
    assertThat(tries).isBetween(2, 10);
    mended.set(1);
    assertThat(TestNode.await(node.workflows().resolveIncident(WorkflowId.of("no-text"), "mended")))
        .isTrue();
    assertThat(node.result("no-text")).isEqualTo("\"nobody is there\"");
    assertThat(ran).as("its result was kept from owner to owner").hasValue(1);
  }

  @Test
  void itCanBeTerminatedInsteadOfMended() {
    Coded.begin(
        node,
        "terminated",
        ctx -> {
          ctx.step("before", () -> 1);
          ctx.cancelWorkflow(WorkflowId.of("other"), null);
          return "sent";
        });
    terminate("terminated");
  }
}
