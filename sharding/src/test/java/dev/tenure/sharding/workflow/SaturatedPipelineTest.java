package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.merging.PipelineSettings;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Status;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Commits that find no place in a full pipeline are the database's trouble, not the workflow's. */
class SaturatedPipelineTest {
  /** More than the failures after which a workflow stands still, and stands as unreadable. */
  private static final int TRIES = 15;

  @Test
  void aWorkflowWhoseCommitsFindNoPlaceGoesOnWhenThereIsOne() {
    GatedStorage[] gates = new GatedStorage[1];
    TestNode.Plan plan =
        new TestNode.Plan()
            .with(Coded.class, Coded::new)
            .pipeline(new PipelineSettings(1, 400, 8L * 1024 * 1024, 1, Duration.ofSeconds(60), 0))
            .settings(given -> given.withRecoveryPause(Duration.ofMillis(50)))
            .storage(inner -> gates[0] = new GatedStorage(inner));
    try (TestNode node = TestNode.start(plan)) {
      for (String id : List.of("held", "one", "other")) {
        Coded.begin(node, id, ctx -> ctx.awaitSignal("end", String.class));
        Await.until("waits", TestNode.SOON, () -> node.describe(id).status() == Status.WAITING);
      }
      GatedStorage.Gate gate = gates[0].hold("held", Event.Paused.class::isInstance);
      var held = node.workflows().pause(WorkflowId.of("held"), "a look");
      gate.awaitArrival();
      int before = gates[0].reads();
      // One of them takes the only place in the queue, the other finds none.
      var one = node.workflows().pause(WorkflowId.of("one"), "a look");
      var other = node.workflows().pause(WorkflowId.of("other"), "a look");
      Await.until("its owner tries again", TestNode.SOON, () -> gates[0].reads() >= before + TRIES);
      gate.open();
      TestNode.await(held);
      TestNode.await(one);
      TestNode.await(other);
      for (String id : List.of("one", "other")) {
        assertThat(node.describe(id).status()).isEqualTo(Status.PAUSED);
        assertThat(node.describe(id).incident()).isEmpty();
        assertThat(TestNode.await(node.workflows().incident(WorkflowId.of(id)))).isEmpty();
      }
    }
  }
}
