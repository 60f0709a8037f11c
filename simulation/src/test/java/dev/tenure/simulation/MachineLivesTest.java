package dev.tenure.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.workflow.audit.Violation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Programs that are stored documents live through what code lives through. */
class MachineLivesTest {
  private static final int SEEDS = 150;

  @Test
  void noSeedBreaksAnInvariant() {
    Machines machines = new Machines();
    Set<String> events = new HashSet<>();
    Set<Object> faults = new HashSet<>();
    List<String> broken = new ArrayList<>();
    for (long seed = 0; seed < SEEDS; seed++)
      try {
        Simulation.Lived lived = StoredLife.live(seed, machines, line -> {});
        events.addAll(lived.events());
        faults.addAll(lived.faults());
      } catch (RuntimeException | AssertionError violation) {
        broken.add("seed " + seed + ": " + violation);
      }

    assertThat(broken).isEmpty();
    // From snapshots, with the end of the history only.
    assertThat(machines.resumed).isGreaterThan(20);
    assertThat(events)
        .contains("Scheduled", "Completed", "SignalConsumed", "AttemptFailed", "Redelivered")
        // A node that does not run the kind had the shard for a while.
        .contains("Blocked", "Unblocked", "Ended", "Closed");
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
  void aMachineThatForgetsWhatItAskedForIsFound() {
    List<String> found = new ArrayList<>();
    for (long seed = 0; seed < 20; seed++)
      try {
        StoredLife.live(seed, new Machines(true), line -> {});
      } catch (Violation violation) {
        found.add(violation.toString());
      }

    assertThat(found).anyMatch(one -> one.contains("does not fit its own history"));
  }

  @Test
  void aSeedIsTheSameEachTime() {
    for (long seed = 0; seed < 5; seed++) {
      List<String> first = new ArrayList<>();
      List<String> second = new ArrayList<>();
      StoredLife.live(seed, new Machines(), first::add);
      StoredLife.live(seed, new Machines(), second::add);
      assertThat(first).hasSizeGreaterThan(10).isEqualTo(second);
    }
  }
}
