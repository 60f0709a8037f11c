package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Status;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A start of an id that is in use leaves the workflow that has the id alone. */
class DuplicateStartTest {
  private static TestNode node;

  /** Its code never gets anywhere. */
  @Workflow(name = "faulty")
  public static class Faulty {
    public Object run(WorkflowContext ctx) {
      throw new IllegalStateException("a bug in " + ctx.info().id());
    }
  }

  @BeforeAll
  static void start() {
    node =
        TestNode.start(
            new TestNode.Plan()
                .with(Coded.class, Coded::new)
                .with(Faulty.class, Faulty::new)
                .settings(
                    given ->
                        given
                            .withRecoveryPause(Duration.ofMillis(50))
                            .withRest(Duration.ofMillis(40), 1_000)));
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static void assertLeavesAlone(String id, String type) {
    Coded.begin(node, id, ctx -> ctx.awaitSignal("end", String.class));
    Await.until("it waits and has left", TestNode.SOON, () -> node.commits(id) > 0 && isAway());
    assertThat(node.begin(id, type, null)).isInstanceOf(StartResult.Duplicate.class);
    assertThat(node.describe(id).status()).isEqualTo(Status.WAITING);
    assertThat(TestNode.await(node.workflows().incident(WorkflowId.of(id)))).isEmpty();
    Coded.signal(node, id, "end", "well");
    assertThat(node.result(id)).isEqualTo("\"well\"");
  }

  private static boolean isAway() {
    return node.node.resident() == 0;
  }

  @Test
  void whoseCodeFails() {
    assertLeavesAlone("used", "faulty");
  }

  @Test
  void whoseCodeIsNotHere() {
    assertLeavesAlone("used-too", "unknown");
  }
}
