package dev.tenure.simulation.mutant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.simulation.Found;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Small bugs in the engine, each of which strikes once in a while. */
class MutantsTest {
  private static final int SEEDS = 1_000;

  /** A mutant whose target is gone finds nothing and says nothing. */
  @Test
  void everyMutantHasItsTarget() {
    assertThat(Mutants.withoutTarget()).isEmpty();
  }

  /** Each by the invariant that must name it. */
  @Test
  void everyMutantIsFound() {
    List<Found> found = Mutants.look(SEEDS);

    assertThat(found).hasSizeGreaterThanOrEqualTo(58);
    assertThat(found).filteredOn(one -> one.seed().isEmpty()).isEmpty();
  }
}
