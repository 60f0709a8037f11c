package dev.tenure.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What the simulation promises; {@code ./tenure simulate --seed N --trace} lives one seed again.
 */
class SimulationTest {
  private static final int SEEDS = 1_000;

  @Test
  void noSeedBreaksAnInvariant() {
    assertThat(Simulate.violations(0, SEEDS)).isEmpty();
  }

  @Test
  void everyPlantedBugIsFound() {
    List<Simulate.Found> found = Simulate.canaries(SEEDS);

    assertThat(found).hasSizeGreaterThanOrEqualTo(12);
    assertThat(found).filteredOn(one -> one.report().isEmpty()).isEmpty();
  }

  @Test
  void aSeedIsTheSameEachTime() {
    for (long seed = 0; seed < 25; seed++) assertThat(lived(seed)).isEqualTo(lived(seed));
  }

  private static List<String> lived(long seed) {
    List<String> lines = new ArrayList<>();
    Simulation.run(seed, Flaw.NONE, lines::add);
    assertThat(lines).hasSizeGreaterThan(100);
    return lines;
  }

  @Test
  void whatIsMeantToGoWrongDoes() {
    String all = "";
    for (long seed = 0; seed < 10; seed++) all += String.join("\n", lived(seed));

    assertThat(all).contains("CRASH of", "LOST ", "DOUBLED ", "LEASE of", "has lost shard", "CALM");
  }

  /** Seeds that once found something are lived again for ever. */
  @Test
  void whatWasFoundStaysMended() {
    for (long seed : new long[] {94, 313, 484, 511, 924})
      assertThat(Simulation.run(seed, Flaw.NONE).violation()).as("seed " + seed).isEmpty();
  }
}
