package dev.tenure.persistence.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.storage.StoreUnderTest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Different identifiers are different keys, and each can be read back. */
class KeyTextTest {
  private static final String ALPHABET = "\0%:|/0aA2350é\u0301 \ud83d\ude00~";

  @Test
  void ordinaryIdentifiersStandThereAsTheyWereWritten() {
    String id = "activity-550e8400:2026-03-01T09:00:00+00:00/a|b é";
    assertThat(KeyText.column(id)).isSameAs(id);
    assertThat(KeyText.ofColumn(id)).isSameAs(id);
    assertThat(KeyText.column("100%\0")).isEqualTo("100%25%00");
    assertThat(KeyText.joined("sig", "a:b", "c%", "\0")).isEqualTo("sig:a%3Ab:c%25:%00");
  }

  @Test
  void everyIdentifierComesBackAndNoTwoMeet() {
    Random random = StoreUnderTest.random("keys");
    Map<String, String> columns = new HashMap<>();
    Map<String, List<String>> joined = new HashMap<>();
    for (int i = 0; i < 100_000; i++) {
      List<String> parts = new ArrayList<>();
      for (int part = 0; part < 3; part++) parts.add(identifier(random));
      String column = KeyText.column(parts.getFirst());
      assertThat(column).doesNotContain("\0");
      assertThat(KeyText.ofColumn(column)).isEqualTo(parts.getFirst());
      String before = columns.put(column, parts.getFirst());
      assertThat(before == null || before.equals(parts.getFirst())).isTrue();
      String key = KeyText.joined(parts.toArray(String[]::new));
      List<String> other = joined.put(key, parts);
      assertThat(other == null || other.equals(parts)).isTrue();
    }
  }

  private static String identifier(Random random) {
    StringBuilder identifier = new StringBuilder();
    int length = 1 + random.nextInt(4);
    for (int i = 0; i < length; i++) {
      int at = random.nextInt(ALPHABET.length());
      identifier.append(ALPHABET.charAt(at));
    }
    // A lone surrogate is refused long before a key is made of it.
    return identifier.toString().replace('\ud83d', 'x').replace('\ude00', 'y');
  }

  @Test
  void aColumnThatWasNotEscapedHereIsFound() {
    for (String column : List.of("%", "a%2", "%zz", "%2x")) {
      assertThatThrownBy(() -> KeyText.ofColumn(column))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining(column);
    }
  }
}
