package dev.tenure.sharding.payload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import dev.tenure.workflow.LimitExceededException;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.TypeRef;
import dev.tenure.workflow.kernel.Limits;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Values survive being written and read, or one is told which does not. */
class PayloadCodecTest {
  private static final PayloadCodec CODEC = PayloadCodec.standard();

  record Line(String article, int count) {}

  record Order(String id, List<Line> lines, Optional<Instant> paid, Duration due) {}

  enum Colour {
    RED {
      @Override
      public String toString() {
        return "rot";
      }
    }
  }

  static List<Object> values() {
    Line line = new Line("a", 1);
    return List.of(
        "text",
        1,
        2L,
        1.5,
        true,
        Colour.RED,
        new UUID(1, 2),
        Instant.parse("2026-01-02T03:04:05.678901Z"),
        line,
        new Order("o", List.of(line), Optional.of(Instant.EPOCH), Duration.ofMinutes(5)),
        Optional.of(line),
        Optional.empty(),
        List.of(Optional.of(line), Optional.empty()),
        Map.of("k", Optional.of(List.of(line))),
        List.of(line, new Line("b", 2)),
        new ArrayList<>(List.of(1, 2)),
        List.of(),
        List.of(List.of(), List.of(line)),
        Set.of(line),
        Map.of("k", List.of(line)),
        new TreeMap<>(Map.of("k", 1)));
  }

  @ParameterizedTest
  @MethodSource("values")
  void aValueWhoseTypeNobodyNamedReadsBackAsItWas(Object value) {
    Payload payload = CODEC.writeNamed(value, "the value");
    assertThat(CODEC.readNamed(payload, "the value")).isEqualTo(value);
  }

  /** Reads a part of itself through the parser's codec, as deserializers of applications do. */
  static final class LineReader extends JsonDeserializer<Line> {
    @Override
    public Line deserialize(JsonParser parser, DeserializationContext context) throws IOException {
      JsonNode all = parser.getCodec().readTree(parser);
      return new Line(all.get(0).asText(), all.get(1).asInt());
    }
  }

  @Test
  void aMapperOfTheApplicationReadsAsItDoesAlone() {
    ObjectMapper own =
        new ObjectMapper()
            .registerModule(new SimpleModule().addDeserializer(Line.class, new LineReader()));
    PayloadCodec codec = new PayloadCodec(own);
    Payload payload = codec.write(List.of("a", 1), List.class, "the line");

    assertThat(codec.read(payload, Line.class, "the line")).isEqualTo(new Line("a", 1));
  }

  @Test
  void nullIsNoPayloadAtAll() {
    assertThat(CODEC.writeNamed(null, "x")).isSameAs(Payload.NONE);
    assertThat(CODEC.readNamed(Payload.NONE, "x")).isNull();
    assertThat(CODEC.read(Payload.NONE, Line.class, "x")).isNull();
    assertThat(CODEC.read(Payload.NONE, new TypeRef<Optional<Line>>() {}.type(), "x"))
        .isEqualTo(Optional.empty());
  }

  @Test
  void aNamedTypeIsPlainJson() {
    Payload payload =
        CODEC.write(List.of(new Line("a", 1)), new TypeRef<List<Line>>() {}.type(), "lines");
    assertThat(PayloadCodec.jsonOf(payload)).isEqualTo("[{\"article\":\"a\",\"count\":1}]");
    assertThat(PayloadCodec.jsonOf(CODEC.writeNamed(new Line("a", 1), "x")))
        .isEqualTo("{\"article\":\"a\",\"count\":1}");
  }

  @Test
  void aReaderWhoNamesTheTypeReadsWhatAnUnnamedOneWrote() {
    Payload payload = CODEC.writeNamed(List.of(new Line("a", 1)), "lines");
    assertThat(CODEC.read(payload, new TypeRef<List<Line>>() {}.type(), "lines"))
        .isEqualTo(List.of(new Line("a", 1)));
  }

  @Test
  void whatIsUnknownIsSkipped() {
    Payload newer = Payload.of("{\"article\":\"a\",\"count\":1,\"more\":true}".getBytes());
    assertThat(CODEC.read(newer, Line.class, "x")).isEqualTo(new Line("a", 1));
  }

  @Test
  void mixedElementsNeedAName() {
    assertThatThrownBy(() -> CODEC.writeNamed(List.of("a", 1), "the result of step s#1"))
        .isInstanceOf(PayloadConversionException.class)
        .hasMessageContaining("The result of step s#1")
        .hasMessageContaining("TypeRef");
    assertThatThrownBy(() -> CODEC.writeNamed(Arrays.asList(1, null, "x"), "x"))
        .hasMessageContaining("java.lang.String");
  }

  @Test
  void aPrimitiveThatIsAbsentIsZero() {
    assertThat(CODEC.read(Payload.NONE, int.class, "x")).isEqualTo(0);
    assertThat(CODEC.read(Payload.NONE, boolean.class, "x")).isEqualTo(false);
    assertThat(CODEC.read(Payload.NONE, double.class, "x")).isEqualTo(0.0);
    assertThat(CODEC.read(Payload.NONE, Integer.class, "x")).isNull();
    assertThat(CODEC.read(Payload.NONE, void.class, "x")).isNull();
  }

  record Words(Set<String> all) {}

  @Test
  void setsComeBackInTheirOrder() {
    Set<String> words = new LinkedHashSet<>(List.of("the quick brown fox jumps".split(" ")));
    assertThat((Set<?>) CODEC.readNamed(CODEC.writeNamed(words, "x"), "x"))
        .isInstanceOf(LinkedHashSet.class)
        .map(Object::toString)
        .containsExactlyElementsOf(words);
    Words back = (Words) CODEC.readNamed(CODEC.writeNamed(new Words(words), "x"), "x");
    assertThat(back.all()).containsExactlyElementsOf(words);
    Payload map = CODEC.writeNamed(Map.of("k", words), "x");
    assertThat(((Map<?, ?>) CODEC.readNamed(map, "x")).get("k")).isInstanceOf(LinkedHashSet.class);
  }

  @Test
  void aDifferenceIsToldWithItsPlace() {
    List<String> told = new ArrayList<>();
    PayloadCodec comparing = CODEC.comparing(told::add);
    comparing.writeNamed(new Order("o", List.of(), Optional.empty(), Duration.ZERO), "x");
    comparing.write(new Line("a", 1), Line.class, "x");
    assertThat(told).isEmpty();
    comparing.write(List.of(1, 2.5), new TypeRef<List<Object>>() {}.type(), "the numbers");
    comparing.write(List.of(1, 2L), new TypeRef<List<Object>>() {}.type(), "the numbers");
    assertThat(told)
        .singleElement()
        .asString()
        .startsWith(
            "The numbers does not come back as it was written: it[1] was 2 (java.lang.Long) and"
                + " came back as 2 (java.lang.Integer)");
  }

  @Test
  void whatCannotBeWrittenIsNamed() {
    assertThatThrownBy(() -> CODEC.writeNamed(new Object(), "the result of step s#1"))
        .isInstanceOf(PayloadConversionException.class)
        .hasMessageContaining("The result of step s#1")
        .hasMessageContaining("java.lang.Object");
  }

  @Test
  void aClassThatIsGoneIsNamed() {
    byte[] name = "com.acme.Gone".getBytes(StandardCharsets.UTF_8);
    byte[] bytes = new byte[3 + name.length + 2];
    bytes[0] = 1;
    bytes[2] = (byte) name.length;
    System.arraycopy(name, 0, bytes, 3, name.length);
    bytes[bytes.length - 2] = '{';
    bytes[bytes.length - 1] = '}';
    assertThatThrownBy(() -> CODEC.readNamed(Payload.of(bytes), "the result of step s#1"))
        .isInstanceOf(PayloadConversionException.class)
        .hasMessageContaining("The result of step s#1 cannot be read as com.acme.Gone");
  }

  /** What is stored has these numbers: a number never gets another type. */
  @Test
  void theTypesThatMostResultsHaveAreNumbers() {
    Map<Integer, Object> numbers =
        Map.of(
            1,
            "text",
            2,
            7,
            3,
            7L,
            4,
            true,
            5,
            0.5,
            6,
            new BigDecimal("1.50"),
            7,
            new UUID(1, 2),
            8,
            Instant.EPOCH);
    numbers.forEach(
        (number, value) -> {
          byte[] bytes = CODEC.writeNamed(value, "x").bytes();
          assertThat(bytes[0]).isEqualTo((byte) 3);
          assertThat(bytes[1]).isEqualTo(number.byteValue());
          assertThat(CODEC.readNamed(Payload.of(bytes), "x")).isEqualTo(value);
        });
  }

  @Test
  void aNumberedTypeMayBeWrittenOutToo() {
    byte[] bytes = "\1\0\21java.lang.Integer7".getBytes(StandardCharsets.ISO_8859_1);
    assertThat(CODEC.readNamed(Payload.of(bytes), "x")).isEqualTo(7);
    assertThat(PayloadCodec.jsonOf(Payload.of(bytes))).isEqualTo("7");
  }

  @Test
  void aTypeThatOnlyANewerEngineKnowsIsNamed() {
    assertThatThrownBy(() -> CODEC.readNamed(Payload.of(new byte[] {3, 99, '7'}), "the value"))
        .isInstanceOf(PayloadConversionException.class)
        .hasMessageContaining("The value cannot be read as type number 99")
        .hasMessageContaining("newer engine");
  }

  @Test
  void aPrimitiveIsOfItsOwnClassOnly() {
    assertThat(CODEC.isOf(int.class, 1)).isTrue();
    assertThat(CODEC.isOf(int.class, "1")).isFalse();
    assertThat(CODEC.isOf(int.class, 1L)).isFalse();
    assertThat(CODEC.isOf(boolean.class, true)).isTrue();
    assertThat(CODEC.isOf(CharSequence.class, "1")).isTrue();
  }

  @Test
  void whatCannotBeReadIsNamed() {
    assertThatThrownBy(() -> CODEC.read(Payload.of("[1]".getBytes()), Line.class, "the input"))
        .isInstanceOf(PayloadConversionException.class)
        .hasMessageContaining("The input")
        .hasMessageContaining("Line");
  }

  @Test
  void aValueMayBeAsLargeAsTheLimitAndNoLarger() {
    // Two quotes around it.
    String largest = "x".repeat(Limits.PAYLOAD_BYTES_MAX - 2);
    assertThat(CODEC.write(largest, String.class, "x").size()).isEqualTo(Limits.PAYLOAD_BYTES_MAX);
    assertThatThrownBy(() -> CODEC.write(largest + "x", String.class, "the value"))
        .isInstanceOf(LimitExceededException.class)
        .hasMessageContaining("PAYLOAD_BYTES_MAX")
        .hasMessageContaining("The value");
  }
}
