package dev.tenure.sharding.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whoever lost its tenure cannot write another byte (I16). */
@Tag("processes")
class StoppedOwnerTest {
  private static final int TRIES = 8;

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
   * long. What still ends the owner is the cluster, which has removed it: how much it writes until
   * it hears of that is a matter of milliseconds, so there are several tries. If they find nothing,
   * the test above proves nothing.
   */
  @Test
  void withoutTheFenceTheSameCheckFindsWhatLanded() {
    List<StoppedOwner> outcomes = new ArrayList<>();
    while (outcomes.size() < TRIES && outcomes.stream().noneMatch(one -> one.staleRows() > 0))
      try (CountingCluster cluster = CountingCluster.start("unfenced", 3, "unfenced", "trusting")) {
        outcomes.add(StoppedOwner.in(cluster));
      }

    assertThat(outcomes)
        .anySatisfy(
            outcome -> {
              assertThat(outcome.landed()).isNotEmpty();
              assertThat(outcome.staleRows()).isPositive();
            });
  }
}
