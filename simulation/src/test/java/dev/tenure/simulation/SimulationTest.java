package dev.tenure.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.workflow.audit.Violation;
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

    assertThat(found).hasSizeGreaterThanOrEqualTo(28);
    assertThat(found).filteredOn(one -> one.report().isEmpty()).isEmpty();
    // Nobody would miss a check that never fails. Behind an end (I4) the kernel itself refuses
    // more.
    assertThat(found.stream().flatMap(one -> one.report().orElseThrow().violation().stream()))
        .filteredOn(Violation.class::isInstance)
        .extracting(violation -> ((Violation) violation).invariant())
        .contains("I1", "I2", "I3", "I6", "I7", "I8", "I9", "I10", "I11", "I12")
        .contains("I13", "I14", "I15", "I16", "I17", "I20");
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
    for (long seed : new long[] {2, 7, 21, 41, 150, 167, 253, 307, 326, 769, 8_953, 46_002})
      assertThat(Simulation.run(seed, Flaw.NONE).violation()).as("seed " + seed).isEmpty();
  }
}
