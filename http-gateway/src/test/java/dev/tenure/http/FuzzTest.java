package dev.tenure.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tenure.http.access.Caller;
import dev.tenure.http.api.Operation;
import dev.tenure.http.fault.Faults;
import dev.tenure.http.json.Canonical;
import dev.tenure.http.json.InvalidJsonError;
import dev.tenure.http.json.Json;
import dev.tenure.http.json.JsonReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Whatever bytes arrive, the reader answers with a value or with its own error, and the operations
 * with inputs or with a fault. Seeded: {@code -Dtenure.fuzz.seed} runs a failure again.
 */
class FuzzTest {
  private static final int ROUNDS = 60_000;
  private static final long SEED = Long.getLong("tenure.fuzz.seed", new Random().nextLong());

  private static final List<String> SEEDS =
      List.of(
          "{\"type\":\"basket\",\"id\":\"a:b\",\"input\":{\"n\":[1,-0.0,1e30,null,true]}}",
          "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tenure.workflows.start\",\"params\":{}}",
          "[{\"a\":\"\\ud83d\\ude00\\u0000\"},[],{},9223372036854775807,\"é\"]",
          "{\"signalId\":\"s\",\"payload\":\"x\",\"attributes\":{\"a\":[\"b\"]},\"executionTimeout\":\"PT1S\"}");
  private static final byte[] TOKENS =
      "{}[]:,\"\\0123456789-+.eEtruefalsnul \u00e9\ud83d\ude00\u0000"
          .getBytes(StandardCharsets.UTF_8);

  private static byte[] mutated(Random random) {
    byte[] bytes = SEEDS.get(random.nextInt(SEEDS.size())).getBytes(StandardCharsets.UTF_8).clone();
    int changes = 1 + random.nextInt(6);
    for (int i = 0; i < changes && bytes.length > 0; i++) {
      int at = random.nextInt(bytes.length);
      bytes =
          switch (random.nextInt(5)) {
            case 0 -> with(bytes, at, (byte) random.nextInt(256));
            case 1 -> with(bytes, at, TOKENS[random.nextInt(TOKENS.length)]);
            case 2 -> Arrays.copyOf(bytes, at);
            case 3 -> spliced(bytes, at, Arrays.copyOfRange(bytes, random.nextInt(at + 1), at));
            default -> spliced(bytes, at, new byte[] {TOKENS[random.nextInt(TOKENS.length)]});
          };
    }
    return bytes;
  }

  private static byte[] with(byte[] bytes, int at, byte value) {
    byte[] copy = bytes.clone();
    copy[at] = value;
    return copy;
  }

  private static byte[] spliced(byte[] bytes, int at, byte[] more) {
    byte[] all = Arrays.copyOf(bytes, bytes.length + more.length);
    System.arraycopy(bytes, at, all, at + more.length, bytes.length - at);
    System.arraycopy(more, 0, all, at, more.length);
    return all;
  }

  @Test
  void theReaderAnswersEverythingAndAgreesWithAnother() throws IOException {
    Random random = new Random(SEED);
    ObjectMapper other = new ObjectMapper();
    int read = 0;
    for (int i = 0; i < ROUNDS; i++) {
      byte[] document = mutated(random);
      Json json;
      try {
        json = JsonReader.read(document);
      } catch (InvalidJsonError expected) {
        continue;
      } catch (RuntimeException | StackOverflowError e) {
        throw new AssertionError("seed " + SEED + ": " + Arrays.toString(document), e);
      }
      read++;
      JsonNode same = other.readTree(document);
      assertThat(other.readTree(json.at().bytes())).as("seed %d", SEED).isEqualTo(same);
      checkSlices(json, other);
      // Written and read again it is the same request.
      assertThat(Canonical.hash(JsonReader.read(json.at().bytes())))
          .isEqualTo(Canonical.hash(json));
    }
    assertThat(read).as("documents that were read, seed %d", SEED).isGreaterThan(ROUNDS / 100);
  }

  /** Every part of a document stands where it says it does. */
  private static void checkSlices(Json json, ObjectMapper other) throws IOException {
    JsonNode there = other.readTree(json.at().bytes());
    switch (json) {
      case Json.Text text -> assertThat(there.textValue()).isEqualTo(text.value());
      case Json.Num number ->
          assertThat(new String(json.at().bytes(), StandardCharsets.UTF_8))
              .isEqualTo(number.literal());
      case Json.Bool truth -> assertThat(there.booleanValue()).isEqualTo(truth.value());
      case Json.Null none -> assertThat(there.isNull()).isTrue();
      case Json.Arr array -> {
        assertThat(there.size()).isEqualTo(array.items().size());
        for (Json item : array.items()) checkSlices(item, other);
      }
      case Json.Obj object -> {
        assertThat(there.size()).isEqualTo(object.fields().size());
        for (Json field : object.fields().values()) checkSlices(field, other);
      }
    }
  }

  @Test
  void everyOperationJudgesEveryInput() {
    Random random = new Random(SEED);
    List<Operation> operations = Described.operations();
    for (int i = 0; i < ROUNDS; i++) {
      try {
        Json json = JsonReader.read(mutated(random));
        if (!(json instanceof Json.Obj(Map<String, Json> fields, Json.Slice at))) continue;
        Operation operation = operations.get(random.nextInt(operations.size()));
        new dev.tenure.http.api.Call(Caller.DEVELOPER, operation.checked(fields, "/params"));
      } catch (RuntimeException e) {
        assertThat(Faults.of(e)).as("seed %d: %s", SEED, e).isPresent();
      }
    }
  }
}
