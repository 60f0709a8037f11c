package dev.tenure.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RisingIdsTest {
  // The moment of the example in RFC 9562, appendix A.6.
  private Instant now = Instant.parse("2022-02-22T19:22:22Z");
  private final RisingIds ids = new RisingIds(() -> now);

  @Test
  void theyHaveTheLayoutOfTheStandard() {
    UUID id = UUID.fromString(ids.get());
    assertThat(id.toString()).startsWith("017f22e2-79b0-7000-");
    assertThat(id.version()).isEqualTo(7);
    assertThat(id.variant()).isEqualTo(2);
  }

  @Test
  void theyRiseWhateverTheClockDoes() {
    List<String> made = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) made.add(ids.get());
    now = now.minusSeconds(60);
    made.add(ids.get());
    now = now.plusSeconds(120);
    made.add(ids.get());
    assertThat(made).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void theirOtherBitsDiffer() {
    assertThat(ids.get().substring(19)).isNotEqualTo(ids.get().substring(19));
  }
}
