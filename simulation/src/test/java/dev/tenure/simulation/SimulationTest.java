package dev.tenure.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What the simulation promises; {@code ./tenure simulate --seed N --trace} lives one seed again.
 */
class SimulationTest {
  private static final int SEEDS = 1_000;

  @Test
  void noSeedBreaksAnInvariant() {
    List<Simulation.Report> broken = Simulate.violations(0, SEEDS);

    Path plans = Path.of(System.getProperty("tenure.build", "build"), "plans");
    broken.forEach(report -> Simulate.write(report, plans));
    assertThat(broken).as("their plans are in " + plans).isEmpty();
  }

  /** Each by what must name it. */
  @Test
  void everyPlantedBugIsFound() {
    List<Found> found = Simulate.canaries(SEEDS);

    assertThat(found).hasSizeGreaterThanOrEqualTo(28);
    assertThat(found).filteredOn(one -> one.seed().isEmpty()).isEmpty();
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
  void aPlanIsTheLifeThatItWasTakenFrom() {
    for (long seed = 0; seed < 10; seed++) {
      Plan plan = Plan.of(Simulation.run(seed, Flaw.NONE).plan().toJson());
      List<String> again = new ArrayList<>();
      Simulation.run(plan, Flaw.NONE, again::add);

      assertThat(again).isEqualTo(lived(seed));
    }
  }

  @Test
  void whatIsMeantToGoWrongDoes() {
    String all = "";
    for (long seed = 0; seed < 10; seed++) all += String.join("\n", lived(seed));

    assertThat(all).contains("CRASH of", "LOST ", "DOUBLED ", "LEASE of", "has lost shard", "CALM");
  }

  /** Lives in which something was found once. */
  @Test
  void whatWasFoundStaysMended() throws IOException {
    try (Stream<Path> plans = Files.list(Path.of("src", "test", "resources", "plans"))) {
      for (Path plan : plans.toList())
        assertThat(Simulation.run(Simulate.read(plan), Flaw.NONE, line -> {}).violation())
            .as(plan.toString())
            .isEmpty();
    }
  }
}
