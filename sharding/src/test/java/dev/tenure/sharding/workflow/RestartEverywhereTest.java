package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.persistence.entry.JournalEntryCodec;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.audit.HistoryAudit;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.operation.OperationId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * Whoever owns a workflow may lose everything in memory after any commit: nothing changes by it.
 */
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
                      amnesic.set(new AmnesicStorage(inner, RestartEverywhereTest::movesOn));
                      return amnesic.get();
                    }))) {
      List<String> disturbed = outcomes(node);

      assertThat(disturbed).as("seed " + SEED).isEqualTo(undisturbed);
      for (int i = 0; i < WORKFLOWS; i++) {
        assertThat(amnesic.get().times("g" + i)).isEqualTo(commitsThatMovedOn(node, i));
        eachOperationCameOutOnce(node.events("g" + i));
        HistoryAudit audit = new HistoryAudit("g" + i);
        for (JournalEntry entry : Journal.steps(node.storage, "g" + i))
          audit.commit(entry.events());
      }
    }
  }

  /** A new owner's first commit counts what it hands out again; crashing there moves nothing. */
  private static boolean movesOn(Commit commit) {
    return movesOn(JournalEntryCodec.decode(commit.payload()));
  }

  private static boolean movesOn(JournalEntry entry) {
    return !entry.events().stream().allMatch(Event.Redelivered.class::isInstance);
  }

  private static long commitsThatMovedOn(TestNode node, int i) {
    return TestNode.await(node.workflows().history(WorkflowId.of("g" + i), 1, 1_000)).stream()
        .filter(RestartEverywhereTest::movesOn)
        .count();
  }

  private static void eachOperationCameOutOnce(List<Event> events) {
    Set<OperationId> out = new HashSet<>();
    for (Event event : events)
      if (event instanceof Event.Completed completed)
        assertThat(out.add(completed.operation())).as(completed.operation().value()).isTrue();
  }
}
