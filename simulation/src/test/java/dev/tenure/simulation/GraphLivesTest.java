package dev.tenure.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Graphs run by owners: what is counted is what the document says, after every commit. */
class GraphLivesTest {
  private static final int SEEDS = 200;

  @Test
  void noSeedBreaksAnInvariant() {
    Graphs graphs = new Graphs();
    StoredLives lives = StoredLives.sound(SEEDS, graphs);

    assertThat(graphs.resumed).isGreaterThan(20);
    assertThat(graphs.compared).isGreaterThan(2_000);
    assertThat(lives.events())
        .contains("Published", "Spawned", "Reentered", "ValueRecorded", "AttemptFailed")
        .contains("SignalConsumed", "SignalReturned", "Abandoned", "LetGo", "Paused", "Resumed")
        .contains("Blocked", "Unblocked", "Redelivered", "CodeRevised", "Ended", "Closed");
    lives.requireTroubled();
  }

  /** Else these lives would find nothing. */
  @Test
  void aGraphThatForgetsWhatIsOpenIsFound() {
    assertThat(StoredLives.found(30, () -> new Graphs(true)))
        .anyMatch(one -> one.contains("by its graph"));
  }
}
