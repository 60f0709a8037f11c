package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.operation.OperationId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Whoever owns a workflow may lose everything in memory after any commit: nothing changes by it. */
class RestartEverywhereTest {
  private static final int WORKFLOWS = 24;
  private static final long SEED = Long.getLong("tenure.seed", 20261118L);

  private static TestNode.Plan plan() {
    return new TestNode.Plan()
        .with(GeneratedWorkflow.class, GeneratedWorkflow::new)
        .settings(given -> given.withRecoveryPause(Duration.ofMillis(25)));
  }

  private static List<String> outcomes(TestNode node) {
    for (int i = 0; i < WORKFLOWS; i++)
      node.begin("g" + i, "generated", new GeneratedWorkflow.Plan(SEED + i, 5, 0));
    List<String> outcomes = new ArrayList<>();
    // The ids in the traces are the same, because both runs use the same ids.
    for (int i = 0; i < WORKFLOWS; i++) outcomes.add(node.result("g" + i));
    return outcomes;
  }

  @Test
  void aRestartAfterEverySingleCommitChangesNoOutcome() {
    List<String> undisturbed;
    try (TestNode node = TestNode.start(plan())) {
      undisturbed = outcomes(node);
    }
    AtomicReference<AmnesicStorage> amnesic = new AtomicReference<>();
    try (TestNode node =
        TestNode.start(
            plan()
                .storage(
                    inner -> {
                      amnesic.set(new AmnesicStorage(inner, commit -> true));
                      return amnesic.get();
                    }))) {
      List<String> disturbed = outcomes(node);

      assertThat(disturbed).as("seed " + SEED).isEqualTo(undisturbed);
      for (int i = 0; i < WORKFLOWS; i++) {
        assertThat(amnesic.get().times("workflow|g" + i)).isEqualTo(node.commits("g" + i));
        eachOperationCameOutOnce(node.events("g" + i));
      }
    }
  }

  private static void eachOperationCameOutOnce(List<Event> events) {
    Set<OperationId> out = new HashSet<>();
    for (Event event : events)
      if (event instanceof Event.Completed completed)
        assertThat(out.add(completed.operation())).as(completed.operation().value()).isTrue();
  }
}
