package dev.tenure.sharding.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** Ids that are unique and random, however many threads ask. */
class UniqueIdsTest {
  @Test
  void manyThreadsNeverGetTheSame() throws InterruptedException {
    UniqueIds ids = new UniqueIds();
    Set<String> all = ConcurrentHashMap.newKeySet();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 16; t++)
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    for (int i = 0; i < 1_000; i++) all.add(ids.get());
                  }));
    for (Thread one : threads) one.join();

    assertThat(all).hasSize(16_000);
  }

  @Test
  void theyAreRandomUuidsAndEveryOtherBitIsAsOftenSetAsNot() {
    UniqueIds ids = new UniqueIds();
    int count = 4_000;
    int[] set = new int[128];
    for (int i = 0; i < count; i++) {
      UUID id = UUID.fromString(ids.get());
      assertThat(id.version()).isEqualTo(4);
      assertThat(id.variant()).isEqualTo(2);
      for (int bit = 0; bit < 64; bit++) {
        set[bit] += (int) (id.getMostSignificantBits() >>> (63 - bit)) & 1;
        set[64 + bit] += (int) (id.getLeastSignificantBits() >>> (63 - bit)) & 1;
      }
    }
    for (int bit = 0; bit < 128; bit++) {
      boolean isFixed = bit >= 48 && bit < 52 || bit == 64 || bit == 65;
      // Ten standard deviations.
      if (!isFixed) assertThat(set[bit]).as("bit " + bit).isBetween(1_680, 2_320);
    }
  }
}
