package dev.tenure.sharding.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** Ids that are unique, rise with time and cannot be guessed, however many threads ask. */
class UniqueIdsTest {
  // The moment of the example in RFC 9562, appendix A.6.
  private static final Instant EXAMPLE = Instant.parse("2022-02-22T19:22:22Z");

  private Instant now = EXAMPLE;
  private final UniqueIds ids = new UniqueIds(() -> now);

  private static long milliseconds(String id) {
    return UUID.fromString(id).getMostSignificantBits() >>> 16;
  }

  @Test
  void manyThreadsNeverGetTheSameAndEachGetsRisingOnes() throws InterruptedException {
    UniqueIds real = new UniqueIds(InstantSource.system());
    Set<String> all = ConcurrentHashMap.newKeySet();
    Set<String> falling = ConcurrentHashMap.newKeySet();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 16; t++)
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    String last = "";
                    for (int i = 0; i < 1_000; i++) {
                      String id = real.get();
                      if (id.compareTo(last) <= 0) falling.add(id);
                      all.add(id);
                      last = id;
                    }
                  }));
    for (Thread one : threads) one.join();

    assertThat(all).hasSize(16_000);
    assertThat(falling).isEmpty();
  }

  @Test
  void theFirstBitsAreTheTimeAsTheStandardHasIt() {
    String id = ids.get();
    assertThat(id).startsWith("017f22e2-79b0-7000-");
    assertThat(UUID.fromString(id).version()).isEqualTo(7);
    assertThat(UUID.fromString(id).variant()).isEqualTo(2);
    now = EXAMPLE.plusNanos(1_500_000);
    assertThat(ids.get())
        .as("half a millisecond is half of 4096")
        .startsWith("017f22e2-79b1-7800-");
  }

  @Test
  void withinOneMomentTheyRise() {
    List<String> made = new ArrayList<>();
    // More than there are units in a millisecond.
    for (int i = 0; i < 10_000; i++) made.add(ids.get());
    assertThat(made).isSorted().doesNotHaveDuplicates();
    assertThat(milliseconds(made.getLast())).isEqualTo(EXAMPLE.toEpochMilli() + 9_999 / 4_096);
  }

  @Test
  void theyRiseWhileTheClockGoesBackAndFollowItAgainLater() {
    String before = ids.get();
    now = EXAMPLE.minusSeconds(3_600);
    String meanwhile = ids.get();
    assertThat(meanwhile).isGreaterThan(before);
    now = EXAMPLE.plusMillis(5);
    assertThat(milliseconds(ids.get())).isEqualTo(EXAMPLE.toEpochMilli() + 5);
  }

  @Test
  void everyOtherBitIsAsOftenSetAsNot() {
    int count = 4_000;
    int[] set = new int[64];
    for (int i = 0; i < count; i++) {
      long least = UUID.fromString(ids.get()).getLeastSignificantBits();
      for (int bit = 0; bit < 64; bit++) set[bit] += (int) (least >>> (63 - bit)) & 1;
    }
    // The first two are fixed. Ten standard deviations.
    for (int bit = 2; bit < 64; bit++)
      assertThat(set[bit]).as("bit " + bit).isBetween(1_680, 2_320);
  }
}
