package dev.tenure.sharding.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Whoever lost its tenure cannot write another byte (I16). */
class StoppedOwnerTest {
  @Test
  void notOneByteOfAnOwnerThatWasStoppedPastItsLeaseLandsAndItsProcessEnds() {
    try (CountingCluster cluster = CountingCluster.start("stopped", 3)) {
      StoppedOwner outcome = StoppedOwner.in(cluster);

      assertThat(outcome.landed()).isEmpty();
      assertThat(outcome.staleRows()).isZero();
    }
  }

  /**
   * The canary: the same steps with the fence taken away, and with leases that are trusted for
   * long, so that nothing else stops the owner for a moment either. If this finds nothing, the test
   * above proves nothing.
   */
  @Test
  void withoutTheFenceTheSameCheckFindsWhatLanded() {
    try (CountingCluster cluster = CountingCluster.start("unfenced", 3, "unfenced", "trusting")) {
      StoppedOwner outcome = StoppedOwner.in(cluster);

      assertThat(outcome.landed()).isNotEmpty();
      System.out.println("without the fence " + outcome.landed().size() + " stale rows landed");
      assertThat(outcome.staleRows()).isPositive();
    }
  }
}
