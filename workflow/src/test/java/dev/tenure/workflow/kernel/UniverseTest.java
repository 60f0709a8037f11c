package dev.tenure.workflow.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UniverseTest {
  /** Give one seed with -Dtenure.seed=… to see a single life again. */
  private static final Long ONE = Long.getLong("tenure.seed");

  private static final int SEEDS = Integer.getInteger("tenure.seeds", 1_000);

  @Test
  void noLifeBreaksAnInvariant() {
    int commits = 0;
    int crashes = 0;
    for (long seed = ONE == null ? 0 : ONE; seed < (ONE == null ? SEEDS : ONE + 1); seed++) {
      Universe universe = new Universe(Kernel.standard(), seed, true);
      universe.live();
      commits += universe.commits;
      crashes += universe.crashes;
    }
    assertThat(commits).as("commits that were audited").isGreaterThan(SEEDS);
    assertThat(crashes).as("owners that died").isGreaterThan(SEEDS);
  }
}
