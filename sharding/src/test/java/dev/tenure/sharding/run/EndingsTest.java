package dev.tenure.sharding.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EndingsTest {
  @Test
  void allEndThoughSomeFail() {
    List<String> ended = new ArrayList<>();
    assertThatThrownBy(
            () ->
                Endings.eachOf(
                    () -> {
                      throw new NoClassDefFoundError("first");
                    },
                    () -> ended.add("second"),
                    () -> {
                      throw new IllegalArgumentException("third");
                    },
                    () -> ended.add("fourth")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("first")
        .hasSuppressedException(new IllegalArgumentException("third"));
    assertThat(ended).containsExactly("second", "fourth");
  }
}
