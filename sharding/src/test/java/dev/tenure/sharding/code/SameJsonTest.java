package dev.tenure.sharding.code;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.workflow.Payload;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When two inputs are one and the same to a replay. */
class SameJsonTest {
  public record Parcel(String id, Set<Object> tags) {}

  private static boolean same(String one, String other) {
    return new SameJson(PayloadCodec.standard()).test(payload(one), payload(other));
  }

  private static Payload payload(String json) {
    return Payload.of(json.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1                       | 1.0
          1e2                     | 100
          {"a":1,"b":"x"}         | {"b":"x","a":1}
          {"a":1}                 | {"a":1,"added":"EUR"}
          {"a":1,"removed":2}     | {"a":1}
          {"a":1,"b":null}        | {"a":1}
          {"a":1,"b":null}        | {"a":1,"c":2}
          [{"a":1},{"a":2}]       | [{"a":1,"b":[]},{"a":2,"b":[1]}]
          """)
  void whatANewerClassWritesForTheSameItemIsTheSame(String one, String other) {
    assertThat(same(one, other)).isTrue();
    assertThat(same(other, one)).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1                       | 2
          "a"                     | "b"
          1                       | "1"
          [1,2]                   | [2,1]
          [1]                     | [1,2]
          {"a":1}                 | {"a":2}
          {"a":1}                 | {"b":1}
          {"a":1,"b":1}           | {"a":1,"c":1}
          {"a":1,"b":null}        | {"a":1,"b":2}
          {"a":{"b":[{"c":1}]}}   | {"a":{"b":[{"c":2}]}}
          {"a":1}                 | [1]
          no json                 | 1
          """)
  void anotherItemIsAnother(String one, String other) {
    assertThat(same(one, other)).isFalse();
    assertThat(same(other, one)).isFalse();
  }

  @Test
  void aValueAndNoneDiffer() {
    assertThat(new SameJson(PayloadCodec.standard()).test(Payload.NONE, payload("1"))).isFalse();
    assertThat(new SameJson(PayloadCodec.standard()).test(Payload.NONE, payload("null"))).isTrue();
  }

  @Test
  void aSetWithoutAnOrderIsWrittenAlikeInEveryProcess() {
    PayloadCodec codec = PayloadCodec.standard();
    for (List<Object> elements :
        List.of(
            List.<Object>of("pear", "apple", "fig", "a1", "b2", "c3"),
            List.<Object>of(Thread.State.WAITING, Thread.State.NEW, Thread.State.BLOCKED),
            List.<Object>of(3, "three", 2L))) {
      Set<Object> given = new UnevenSet<>(elements);
      Set<Object> reversed = new UnevenSet<>(elements.reversed());
      assertThat(codec.write(new Parcel("a", given), Parcel.class, "it"))
          .isEqualTo(codec.write(new Parcel("a", reversed), Parcel.class, "it"));
    }
    assertThat(
            PayloadCodec.jsonOf(
                codec.write(
                    new Parcel("a", new LinkedHashSet<>(List.of("b", "a"))), Parcel.class, "it")))
        .as("a set with an order keeps it")
        .isEqualTo("{\"id\":\"a\",\"tags\":[\"b\",\"a\"]}");
  }

  /**
   * Has the order in which it was filled, as a set of another process might, and does not say so.
   */
  private static final class UnevenSet<T> extends java.util.AbstractSet<T> {
    private final List<T> elements;

    private UnevenSet(List<T> elements) {
      this.elements = elements;
    }

    @Override
    public java.util.Iterator<T> iterator() {
      return elements.iterator();
    }

    @Override
    public int size() {
      return elements.size();
    }
  }
}
