package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.workflow.ChildCall;
import dev.tenure.workflow.ChildFailedException;
import dev.tenure.workflow.ChildHandle;
import dev.tenure.workflow.UndeliverableException;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowFailure;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Status;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Workflows that start, signal and cancel each other. */
class AmongWorkflowsTest {
  private static TestNode node;

  @Workflow(name = "doubling")
  public static class Doubling {
    public int run(WorkflowContext ctx, int number) {
      if (number < 0) throw WorkflowFailure.permanent("negative", "negative: " + number);
      return ctx.step("double", () -> number * 2);
    }
  }

  @Workflow(name = "waiting")
  public static class Waiting {
    public String run(WorkflowContext ctx) {
      return ctx.awaitSignal("go", String.class);
    }
  }

  @BeforeAll
  static void start() {
    node =
        TestNode.start(
            new TestNode.Plan()
                .with(Coded.class, Coded::new)
                .with(Doubling.class, Doubling::new)
                .with(Waiting.class, Waiting::new));
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static String run(String id, Function<WorkflowContext, Object> code) {
    return Coded.run(node, id, code);
  }

  @Test
  void aChildsResultAndFailureComeBack() {
    assertThat(
            run(
                "parent",
                ctx -> {
                  int twice = ctx.child(Doubling.class, "parent/child", 21, Integer.class);
                  try {
                    ctx.child("doubling", "parent/bad", -1, Integer.class);
                    return "no failure";
                  } catch (ChildFailedException e) {
                    return twice + " " + e.failure().message();
                  }
                }))
        .isEqualTo("\"42 negative: -1\"");
  }

  @Test
  void aChildCanBeSignalledAndNeedsNoName() {
    assertThat(
            run(
                "signalling",
                ctx -> {
                  ChildHandle<String> child =
                      ctx.childAsync(ChildCall.to(Waiting.class, String.class));
                  child.signal("go", "gone");
                  return child.get();
                }))
        .isEqualTo("\"gone\"");
  }

  @Test
  void anIdThatIsTakenIsNoChild() {
    node.begin("taken", "waiting", null);
    assertThat(
            run(
                "usurper",
                ctx -> {
                  try {
                    return ctx.child("waiting", "taken", null, String.class);
                  } catch (ChildFailedException e) {
                    return e.failure().type();
                  }
                }))
        .isEqualTo("\"tenure.Undeliverable\"");
  }

  @Test
  void otherWorkflowsAreSignalledAndCancelled() {
    node.begin("other", "waiting", null);
    node.begin("doomed", "waiting", null);
    assertThat(
            run(
                "meddler",
                ctx -> {
                  ctx.signalWorkflow(WorkflowId.of("other"), "go", "from afar");
                  ctx.cancelWorkflow(WorkflowId.of("doomed"), "because");
                  try {
                    ctx.signalWorkflow(WorkflowId.of("nobody"), "go", 1);
                    return "delivered";
                  } catch (UndeliverableException e) {
                    return "undelivered";
                  }
                }))
        .isEqualTo("\"undelivered\"");
    assertThat(node.result("other")).isEqualTo("\"from afar\"");
    assertThat(node.end("doomed").status()).isEqualTo(Status.CANCELLED);
  }
}
