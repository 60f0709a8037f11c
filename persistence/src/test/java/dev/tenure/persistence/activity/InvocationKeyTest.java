package dev.tenure.persistence.activity;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code SHA256(job \0 node \0 tool \0 canonical(args))}, in lower-case hex. */
class InvocationKeyTest {
  private static InvocationKey of(String job, String node, String tool, String arguments) {
    return InvocationKey.of(job, node, tool, arguments.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void theFormulaHoldsToTheByte() {
    InvocationKey key = of("job-1", "charge#1", "charge", "{\"amount\":17}");
    assertThat(key).hasToString("875978e7a91d410513d9a40f29224033c96d0bacc23bad661192679b26ce6713");
    assertThat(InvocationKey.ofBytes(key.bytes())).isEqualTo(key).hasSameHashCodeAs(key);
  }

  @Test
  void theBordersOfTheFieldsCount() {
    assertThat(
            List.of(
                of("a", "bc", "t", "x"),
                of("ab", "c", "t", "x"),
                of("a", "b", "ct", "x"),
                of("a", "bc", "tx", ""),
                of("a", "bc", "t", "y")))
        .doesNotHaveDuplicates();
  }
}
