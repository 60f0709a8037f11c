package dev.tenure.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.workflow.audit.Violation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Graphs run by owners: what is counted is what the document says, after every commit. */
class GraphLivesTest {
  private static final int SEEDS = 200;

  @Test
  void noSeedBreaksAnInvariant() {
    Graphs graphs = new Graphs();
    Set<String> events = new HashSet<>();
    Set<Object> faults = new HashSet<>();
    List<String> broken = new ArrayList<>();
    for (long seed = 0; seed < SEEDS; seed++)
      try {
        Simulation.Lived lived = StoredLife.live(seed, graphs, line -> {});
        events.addAll(lived.events());
        faults.addAll(lived.faults());
      } catch (RuntimeException | AssertionError violation) {
        broken.add("seed " + seed + ": " + violation);
      }

    assertThat(broken).isEmpty();
    assertThat(graphs.resumed).isGreaterThan(20);
    assertThat(graphs.compared).isGreaterThan(2_000);
    assertThat(events)
        .contains("Published", "Spawned", "Reentered", "ValueRecorded", "AttemptFailed")
        .contains("SignalConsumed", "SignalReturned", "Abandoned", "LetGo", "Paused", "Resumed")
        .contains("Blocked", "Unblocked", "Redelivered", "CodeRevised", "Ended", "Closed");
    assertThat(faults)
        .contains(
            Fault.NODE_DIES,
            Fault.NODE_DIES_OF_A_COMMIT,
            Fault.SHARD_MOVES,
            Fault.COMMIT_UNHEARD,
            Fault.ANSWER_NEVER,
            Fault.OLD_CODE);
  }

  /** Else these lives would find nothing. */
  @Test
  void aGraphThatForgetsWhatIsOpenIsFound() {
    List<String> found = new ArrayList<>();
    for (long seed = 0; seed < 30; seed++)
      try {
        StoredLife.live(seed, new Graphs(true), line -> {});
      } catch (Violation violation) {
        found.add(violation.toString());
      }

    assertThat(found).anyMatch(one -> one.contains("by its graph"));
  }
}
