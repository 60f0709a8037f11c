package dev.tenure.sharding.payload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.jsontype.BasicPolymorphicTypeValidator;
import dev.tenure.workflow.AesPayloadCipher;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.TypeRef;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
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
  void anEncryptedValueIsComparedByWhatItSays() {
    byte[] key = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    byte[] next = "fedcba9876543210".getBytes(StandardCharsets.US_ASCII);
    PayloadCodec before = PayloadCodec.standard().encryptedBy(AesPayloadCipher.of("first", key));
    PayloadCodec rotated =
        PayloadCodec.standard()
            .encryptedBy(AesPayloadCipher.of("second", next).reading("first", key));
    Payload recorded = before.write(Map.of("id", 7), Map.class, "it");

    SameJson same = new SameJson(rotated);
    assertThat(same.test(recorded, rotated.write(Map.of("id", 7), Map.class, "it"))).isTrue();
    assertThat(same.test(recorded, rotated.write(Map.of("id", 7, "to", 1), Map.class, "it")))
        .as("a field was added")
        .isTrue();
    assertThat(same.test(recorded, rotated.write(Map.of("id", 8), Map.class, "it"))).isFalse();
    assertThatThrownBy(() -> new SameJson(PayloadCodec.standard()).test(recorded, recorded))
        .isInstanceOf(PayloadConversionException.class)
        .hasMessageContaining("key \"first\"");
  }

  @Test
  void theApplicationsOwnMapperWritesSetsAlikeToo() {
    PayloadCodec codec = new PayloadCodec(new ObjectMapper());
    Set<Object> given = new UnevenSet<>(List.of("pear", "apple", "fig"));
    Set<Object> reversed = new UnevenSet<>(List.of("fig", "apple", "pear"));
    assertThat(codec.write(given, Set.class, "it"))
        .isEqualTo(codec.write(reversed, Set.class, "it"));
    Payload ordered = codec.write(List.of("pear", "apple", "fig", "date"), List.class, "it");
    assertThat((Set<?>) codec.read(ordered, Set.class, "it")).isInstanceOf(LinkedHashSet.class);
  }

  @Test
  void aSetIsWrittenAlikeWhereACollectionIsDeclared() {
    Set<Object> given = new UnevenSet<>(List.of("pear", "apple", "fig"));
    Set<Object> reversed = new UnevenSet<>(List.of("fig", "apple", "pear"));
    for (Type declared :
        List.of(
            Collection.class,
            new TypeRef<Collection<String>>() {}.type(),
            new TypeRef<Collection<Object>>() {}.type(),
            new TypeRef<Iterable<String>>() {}.type()))
      assertThat(PayloadCodec.standard().write(given, declared, "it"))
          .as(declared.toString())
          .isEqualTo(PayloadCodec.standard().write(reversed, declared, "it"));
  }

  @Test
  void aSetIsWrittenAlikeWithItsType() {
    ObjectMapper typed = new ObjectMapper();
    typed.activateDefaultTyping(
        BasicPolymorphicTypeValidator.builder().allowIfBaseType(Object.class).build(),
        ObjectMapper.DefaultTyping.NON_FINAL);
    PayloadCodec codec = new PayloadCodec(typed);
    // They collide, so that they stand in the set in the order in which they came.
    Set<String> given = new HashSet<>(List.of("Aa", "BB"));
    Set<String> reversed = new HashSet<>();
    reversed.add("BB");
    reversed.add("Aa");
    assertThat(List.copyOf(given)).isNotEqualTo(List.copyOf(reversed));
    assertThat(codec.write(given, Object.class, "it"))
        .isEqualTo(codec.write(reversed, Object.class, "it"));
    assertThat(codec.read(codec.write(given, Object.class, "it"), Object.class, "it"))
        .isEqualTo(given);
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
