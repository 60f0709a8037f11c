package dev.tenure.sharding.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who may read a history now: so many at once, the others in their order, and nobody for ever. */
class RecoveryPermitsTest {
  private final RecoveryPermits permits = new RecoveryPermits(2);
  private final List<String> came = new ArrayList<>();

  private RecoveryPermits.Permit take(String name) {
    return permits.take(() -> came.add(name));
  }

  @Test
  void theyComeInTheOrderInWhichTheyWereAskedFor() {
    RecoveryPermits.Permit first = take("first");
    RecoveryPermits.Permit second = take("second");
    RecoveryPermits.Permit third = take("third");
    RecoveryPermits.Permit fourth = take("fourth");
    assertThat(List.of(first.isRunning(), second.isRunning())).containsOnly(true);
    assertThat(List.of(third.isRunning(), fourth.isRunning())).containsOnly(false);
    second.end();
    first.end();
    assertThat(came).containsExactly("third", "fourth");
    assertThat(second.isRunning()).isFalse();
  }

  @Test
  void oneThatWaitedAndIsWantedNoMoreIsPassedOver() {
    RecoveryPermits.Permit first = take("first");
    take("second");
    RecoveryPermits.Permit third = take("third");
    take("fourth");
    third.end();
    assertThat(permits.waiting()).isEqualTo(1);
    first.end();
    assertThat(came).containsExactly("fourth");
  }

  @Test
  void oneThatEndsTwiceMakesRoomOnce() {
    RecoveryPermits.Permit first = take("first");
    take("second");
    take("third");
    take("fourth");
    first.end();
    first.end();
    assertThat(came).containsExactly("third");
  }
}
