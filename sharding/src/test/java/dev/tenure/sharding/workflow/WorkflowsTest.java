package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.code.PayloadCodec;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowRegistration;
import dev.tenure.workflow.kernel.Reply;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Workflows on one real node and a real store. */
class WorkflowsTest {
  private static final AtomicInteger ATTEMPTS = new AtomicInteger();
  private static WorkflowNode node;

  @Workflow(name = "two-steps", version = 1)
  public static final class TwoSteps {
    public String run(WorkflowContext ctx, String name) {
      String first = ctx.step("first", () -> "Hello " + name);
      return ctx.step("second", () -> first + "!");
    }
  }

  @Workflow(name = "flaky", version = 1)
  public static final class Flaky {
    public String run(WorkflowContext ctx) {
      return ctx.step(
          "flaky",
          () -> {
            if (ATTEMPTS.incrementAndGet() < 2) throw new IllegalStateException("not yet");
            return "done";
          });
    }
  }

  @Workflow(name = "sleeps", version = 1)
  public static final class Sleeps {
    public String run(WorkflowContext ctx) {
      ctx.sleep(Duration.ofMillis(200));
      return "awake";
    }
  }

  @Workflow(name = "waits", version = 1)
  public static final class Waits {
    public String run(WorkflowContext ctx) {
      ctx.step("before", () -> "before");
      return ctx.awaitSignal("go", String.class);
    }
  }

  @BeforeAll
  static void open() {
    node =
        new WorkflowNode(
            List.of(
                WorkflowRegistration.of(TwoSteps.class, TwoSteps::new),
                WorkflowRegistration.of(Flaky.class, Flaky::new),
                WorkflowRegistration.of(Sleeps.class, Sleeps::new),
                WorkflowRegistration.of(Waits.class, Waits::new)),
            List.of());
  }

  @AfterAll
  static void close() {
    node.close();
  }

  private static void assertResult(String id, String result) {
    assertThat(node.result(id)).isInstanceOf(Outcome.Succeeded.class);
    Outcome.Succeeded succeeded = (Outcome.Succeeded) node.result(id);
    assertThat(PayloadCodec.standard().read(succeeded.value(), String.class, "the result"))
        .isEqualTo(result);
  }

  @Test
  void twoStepsAndTheResultAreThreeCommits() {
    Answer answer = node.start("two", "two-steps", "Ada");

    assertThat(answer).isInstanceOf(Answer.Said.class);
    assertThat(((Answer.Said) answer).reply()).isInstanceOf(Reply.Started.class);
    assertResult("two", "Hello Ada!");
    assertThat(node.describe("two").version()).isEqualTo(3);
  }

  @Test
  void aSecondStartOfAnIdSaysThatItIsTaken() {
    node.start("taken", "two-steps", "Ada");

    assertThat(((Answer.Said) node.start("taken", "two-steps", "Bob")).reply())
        .isInstanceOf(Reply.AlreadyStarted.class);
    assertResult("taken", "Hello Ada!");
  }

  @Test
  void aStepThatFailsIsTriedAgain() {
    node.start("flaky", "flaky", null);

    assertResult("flaky", "done");
    assertThat(ATTEMPTS).hasValue(2);
  }

  @Test
  void aTimerEndsASleep() {
    node.start("sleeps", "sleeps", null);

    assertResult("sleeps", "awake");
  }

  @Test
  void aSignalReachesWhoWaitsForIt() {
    node.start("waits", "waits", null);
    awaitStatus("waits", Status.WAITING);

    WorkflowNode.get(
        node.workflows.signal(WorkflowId.of("waits"), "go", Optional.of("one"), "now"));

    assertResult("waits", "now");
  }

  @Test
  void aCancelEndsAWait() {
    node.start("cancelled", "waits", null);
    awaitStatus("cancelled", Status.WAITING);

    WorkflowNode.get(node.workflows.cancel(WorkflowId.of("cancelled"), "enough"));

    assertThat(node.result("cancelled")).isInstanceOf(Outcome.Cancelled.class);
  }

  @Test
  void aTerminatedWorkflowIsNotAsked() {
    node.start("terminated", "waits", null);

    WorkflowNode.get(node.workflows.terminate(WorkflowId.of("terminated"), "enough"));

    assertThat(node.result("terminated")).isEqualTo(new Outcome.Terminated("enough"));
  }

  @Test
  void aPausedWorkflowGoesOnWhenItIsResumed() {
    node.start("paused", "waits", null);
    awaitStatus("paused", Status.WAITING);
    WorkflowId id = WorkflowId.of("paused");
    WorkflowNode.get(node.workflows.pause(id, "a look"));
    assertThat(node.describe("paused").status()).isEqualTo(Status.PAUSED);

    WorkflowNode.get(node.workflows.resume(id));
    WorkflowNode.get(node.workflows.signal(id, "go", Optional.of("one"), "on"));

    assertResult("paused", "on");
  }

  private static void awaitStatus(String id, Status status) {
    Await.until(
        id + " is " + status, WorkflowNode.SOON, () -> node.describe(id).status() == status);
  }
}
