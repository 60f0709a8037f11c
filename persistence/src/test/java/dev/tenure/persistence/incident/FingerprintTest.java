package dev.tenure.persistence.incident;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What incidents of one cause have in common. */
class FingerprintTest {
  private static String of(String message, String id) {
    return Fingerprint.of("drift", "order", message, id);
  }

  @Test
  void whatTellsWorkflowsApartDoesNotTellCausesApart() {
    String first = of("Order order-ä of 7f3a-22 at 10:45 fails: step charge#1 is gone", "order-ä");
    assertThat(of("Order x of 11-ab at 23:01 fails: step charge#22 is gone", "x")).isEqualTo(first);
    assertThat(of("Order x of 11-ab at 23:01 fails: step refund#1 is gone", "x"))
        .isNotEqualTo(first);
  }

  @Test
  void kindAndTypeTellThemApart() {
    assertThat(Fingerprint.of("a", "b", "m", "id"))
        .isNotEqualTo(Fingerprint.of("b", "a", "m", "id"));
    assertThat(Fingerprint.of("a", "bc", "m", "id"))
        .isNotEqualTo(Fingerprint.of("ab", "c", "m", "id"));
  }

  @Test
  void itIsWrittenDownAndNeverChanges() {
    assertThat(Fingerprint.of("drift", "order", "step charge#1 is gone", "order-1"))
        .isEqualTo("ea3f5fd0f9f1435e");
  }
}
