package dev.tenure.sharding.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who may read a history now: so many at once, the others in their order, and nobody for ever. */
class RecoveryPermitsTest {
  private static final long BYTES_MAX = 3_200;

  private final RecoveryPermits permits = new RecoveryPermits(2, BYTES_MAX);
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

  @Test
  void noneIsReadWhileThoseInMemoryAreTooLarge() {
    RecoveryPermits.Permit first = take("first");
    first.read(BYTES_MAX - 1);
    first.wasRead();
    assertThat(first.isRunning()).isFalse();
    RecoveryPermits.Permit second = take("second");
    assertThat(second.isRunning()).as("there is room").isTrue();
    second.read(1);
    RecoveryPermits.Permit third = take("third");
    assertThat(third.isRunning()).isFalse();
    second.wasRead();
    assertThat(came).isEmpty();
    second.end();
    assertThat(came).containsExactly("third");
  }

  @Test
  void oneThatIsEndedBeforeAllOfItWasReadMakesRoomForItsBytes() {
    RecoveryPermits.Permit first = take("first");
    first.read(BYTES_MAX);
    RecoveryPermits.Permit second = take("second");
    first.end();
    first.read(BYTES_MAX);
    assertThat(came).containsExactly("second");
    second.end();
    assertThat(take("third").isRunning()).isTrue();
  }

  private static int atOnce(RecoveryPermits permits) {
    List<RecoveryPermits.Permit> all = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) all.add(permits.take(() -> {}));
    int running = (int) all.stream().filter(RecoveryPermits.Permit::isRunning).count();
    // The last ones first: those that end give theirs to none.
    all.reversed().forEach(RecoveryPermits.Permit::end);
    return running;
  }

  private static void reads(RecoveryPermits permits, int count, long bytes) {
    for (int i = 0; i < count; i++) {
      RecoveryPermits.Permit permit = permits.take(() -> {});
      permit.read(bytes);
      permit.wasRead();
      permit.end();
    }
  }

  @Test
  void theLargerTheyWereTheFewerAreReadAtOnce() {
    RecoveryPermits many = new RecoveryPermits(500, BYTES_MAX);
    assertThat(atOnce(many)).as("before their size is known").isEqualTo(32);
    reads(many, 200, 1);
    assertThat(atOnce(many)).isGreaterThan(200);
    reads(many, 200, BYTES_MAX);
    assertThat(atOnce(many)).isEqualTo(8);
  }

  @Test
  void aLargerHeapAllowsMore() {
    assertThat(atOnce(RecoveryPermits.with(1, 1L << 40))).isEqualTo(1);
    RecoveryPermits small = RecoveryPermits.with(2_000, 512L << 20);
    reads(small, 500, 1);
    assertThat(atOnce(small)).isEqualTo(128);
  }
}
