package dev.tenure.sharding.counter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Whoever lost its tenure cannot write another byte (I16). */
class StoppedOwnerTest {
  @Test
  void notOneByteOfAnOwnerThatWasStoppedPastItsLeaseLandsAndItsProcessEnds() {
    try (CounterCluster cluster = CounterCluster.start("stopped", 3)) {
      StoppedOwner outcome = StoppedOwner.in(cluster);

      assertThat(outcome.landed()).isEmpty();
      assertThat(outcome.staleRows()).isZero();
    }
  }

  /**
   * The canary: the same steps with the fence taken away. If this finds nothing, neither does the
   * other.
   */
  @Test
  void withoutTheFenceTheSameCheckFindsWhatLanded() {
    try (CounterCluster cluster = CounterCluster.start("unfenced", 3, "unfenced")) {
      StoppedOwner outcome = StoppedOwner.in(cluster);

      assertThat(outcome.landed()).isNotEmpty();
      System.out.println("without the fence " + outcome.landed().size() + " stale rows landed");
      assertThat(outcome.staleRows()).isPositive();
    }
  }
}
