package dev.tenure.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Programs that are stored documents live through what code lives through. */
class MachineLivesTest {
  private static final int SEEDS = 150;

  @Test
  void noSeedBreaksAnInvariant() {
    Machines machines = new Machines();
    StoredLives lives = StoredLives.sound(SEEDS, machines);

    // From snapshots, with the end of the history only.
    assertThat(machines.resumed).isGreaterThan(20);
    assertThat(machines.compared).isGreaterThan(1_000);
    assertThat(lives.events())
        .contains("Scheduled", "Completed", "SignalConsumed", "AttemptFailed", "Redelivered")
        // A node that does not run the kind had the shard for a while.
        .contains("Blocked", "Unblocked", "Ended", "Closed")
        .contains("ContinuedAsNew", "IncidentRaised", "IncidentResolved");
    lives.requireTroubled();
  }

  /** Else these lives would find nothing. */
  @Test
  void aMachineThatForgetsWhatItAskedForIsFound() {
    assertThat(StoredLives.found(20, () -> new Machines(true)))
        .anyMatch(one -> one.contains("does not fit its own history"));
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
