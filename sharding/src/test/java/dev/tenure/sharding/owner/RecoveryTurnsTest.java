package dev.tenure.sharding.owner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who may read a history now: so many at once, the others in their order, and nobody for ever. */
class RecoveryTurnsTest {
  private final RecoveryTurns turns = new RecoveryTurns(2);
  private final List<String> came = new ArrayList<>();

  private RecoveryTurns.Turn take(String name) {
    return turns.take(() -> came.add(name));
  }

  @Test
  void theyComeInTheOrderInWhichTheyWereAskedFor() {
    RecoveryTurns.Turn first = take("first");
    RecoveryTurns.Turn second = take("second");
    RecoveryTurns.Turn third = take("third");
    RecoveryTurns.Turn fourth = take("fourth");
    assertThat(List.of(first.isRunning(), second.isRunning())).containsOnly(true);
    assertThat(List.of(third.isRunning(), fourth.isRunning())).containsOnly(false);
    second.end();
    first.end();
    assertThat(came).containsExactly("third", "fourth");
    assertThat(second.isRunning()).isFalse();
  }

  @Test
  void oneThatWaitedAndIsWantedNoMoreIsPassedOver() {
    RecoveryTurns.Turn first = take("first");
    take("second");
    RecoveryTurns.Turn third = take("third");
    take("fourth");
    third.end();
    assertThat(turns.waiting()).isEqualTo(1);
    first.end();
    assertThat(came).containsExactly("fourth");
  }

  @Test
  void oneThatEndsTwiceMakesRoomOnce() {
    RecoveryTurns.Turn first = take("first");
    take("second");
    take("third");
    take("fourth");
    first.end();
    first.end();
    assertThat(came).containsExactly("third");
  }
}
