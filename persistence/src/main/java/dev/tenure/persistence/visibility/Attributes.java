package dev.tenure.persistence.visibility;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tenure.persistence.commit.InvalidCommitError;
import dev.tenure.persistence.commit.StoredText;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a workflow can be searched by: names with a text, a number, a truth value or a list of
 * texts.
 */
public record Attributes(Map<String, Object> values) {
  public static final int MAX_ATTRIBUTES = 64;
  public static final int MAX_NAME_BYTES = 128;
  public static final int MAX_JSON_BYTES = 16 * 1024;

  public static final Attributes NONE = new Attributes(Map.of());

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Integers become long, instants their written form; anything else is refused by its name. */
  public Attributes {
    if (values.size() > MAX_ATTRIBUTES) {
      throw new InvalidCommitError(
          "a workflow has %d search attributes, more than the limit of %d"
              .formatted(values.size(), MAX_ATTRIBUTES));
    }
    TreeMap<String, Object> checked = new TreeMap<>();
    values.forEach(
        (name, value) -> {
          StoredText.require("the name of a search attribute", name, MAX_NAME_BYTES);
          checked.put(name, checked(name, value));
        });
    values = Collections.unmodifiableMap(checked);
    int bytes = values.isEmpty() ? 0 : json(values).getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MAX_JSON_BYTES) {
      throw new InvalidCommitError(
          "the search attributes have %d bytes, more than the limit of %d: keep large values in the workflow"
              .formatted(bytes, MAX_JSON_BYTES));
    }
  }

  private static Object checked(String name, Object value) {
    return switch (value) {
      case String text -> checkedText(name, text);
      case Integer number -> number.longValue();
      case Long number -> number;
      case Double number when Double.isFinite(number) -> number;
      case Boolean truth -> truth;
      case Instant time -> time.toString();
      case List<?> texts -> {
        List<String> copy = new ArrayList<>();
        for (Object text : texts) {
          if (!(text instanceof String s)) throw unsuitable(name, text);
          copy.add(checkedText(name, s));
        }
        yield List.copyOf(copy);
      }
      case null, default -> throw unsuitable(name, value);
    };
  }

  private static String checkedText(String name, String text) {
    StoredText.requireCharacters("the search attribute " + name, text);
    return text;
  }

  private static InvalidCommitError unsuitable(String name, Object value) {
    return new InvalidCommitError(
        "the search attribute %s is %s: use a text, a number that is finite, a truth value, an instant or a list of texts"
            .formatted(name, value == null ? "null" : "a " + value.getClass().getSimpleName()));
  }

  public boolean isEmpty() {
    return values.isEmpty();
  }

  /** Whether each of those is among these: what the store's containment says. */
  public boolean contain(Attributes wanted) {
    return wanted.values.entrySet().stream()
        .allMatch(each -> contains(values.get(each.getKey()), each.getValue()));
  }

  private static boolean contains(Object found, Object wanted) {
    if (found == null) return false;
    if (found instanceof Number f && wanted instanceof Number w) {
      return new BigDecimal(f.toString()).compareTo(new BigDecimal(w.toString())) == 0;
    }
    if (found instanceof List<?> f && wanted instanceof List<?> w) return f.containsAll(w);
    return found.equals(wanted);
  }

  /** As it is stored. */
  public String json() {
    return json(values);
  }

  private static String json(Map<String, Object> values) {
    try {
      return JSON.writeValueAsString(values);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("texts, numbers and truth values are always JSON", e);
    }
  }

  /** The stored form, read back. */
  public static Attributes ofJson(String json) {
    if (json.equals("{}")) return NONE;
    try {
      TreeMap<String, Object> values = new TreeMap<>();
      JSON.readTree(json)
          .properties()
          .forEach(each -> values.put(each.getKey(), value(each.getValue())));
      return new Attributes(values);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the stored search attributes are not JSON", e);
    }
  }

  private static Object value(JsonNode node) {
    if (node.isTextual()) return node.textValue();
    if (node.isBoolean()) return node.booleanValue();
    if (node.isIntegralNumber() && node.canConvertToLong()) return node.longValue();
    if (node.isNumber()) return node.doubleValue();
    List<String> texts = new ArrayList<>();
    node.forEach(text -> texts.add(text.textValue()));
    return texts;
  }
}
