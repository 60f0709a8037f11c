package dev.tenure.persistence.visibility;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tenure.persistence.key.KeyText;
import dev.tenure.workflow.Attribute;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The search attributes of a workflow as its row keeps them. Instants stand there in their written
 * form and are read back as texts; a search for an instant finds them all the same.
 */
public record Attributes(Map<String, Attribute> values) {
  public static final Attributes NONE = new Attributes(Map.of());

  private static final ObjectMapper JSON = new ObjectMapper();

  /** What was taken away is not there. */
  public Attributes {
    TreeMap<String, Attribute> kept = new TreeMap<>(values);
    kept.values().removeIf(Attribute.Removed.class::isInstance);
    values = java.util.Collections.unmodifiableMap(kept);
  }

  public static Attributes of(String name, Object value) {
    return new Attributes(Map.of(name, Attribute.of(value)));
  }

  /** These and one more. */
  public Attributes and(String name, Object value) {
    TreeMap<String, Attribute> all = new TreeMap<>(values);
    all.put(name, Attribute.of(value));
    return new Attributes(all);
  }

  public boolean isEmpty() {
    return values.isEmpty();
  }

  /** Whether each of the wanted is among these: what the store's containment says. */
  boolean contain(Attributes wanted) {
    return wanted.values.entrySet().stream()
        .allMatch(each -> contains(values.get(each.getKey()), each.getValue()));
  }

  private static boolean contains(Attribute found, Attribute wanted) {
    if (found == null) return false;
    if (found instanceof Attribute.OfTexts f && wanted instanceof Attribute.OfTexts w) {
      return f.values().containsAll(w.values());
    }
    JsonNode f = node(found);
    JsonNode w = node(wanted);
    return f.isNumber() && w.isNumber() ? number(f).compareTo(number(w)) == 0 : f.equals(w);
  }

  private static BigDecimal number(JsonNode node) {
    return new BigDecimal(node.asText());
  }

  /** As it is stored; texts are escaped as keys are, because JSON in a database has no NUL. */
  String json() {
    if (values.isEmpty()) return "{}";
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    values.forEach((name, value) -> object.set(KeyText.column(name), node(value)));
    try {
      return JSON.writeValueAsString(object);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree is always JSON", e);
    }
  }

  private static JsonNode node(Attribute attribute) {
    JsonNodeFactory nodes = JsonNodeFactory.instance;
    return switch (attribute) {
      case Attribute.OfText text -> nodes.textNode(KeyText.column(text.value()));
      case Attribute.OfLong number -> nodes.numberNode(number.value());
      case Attribute.OfDouble number -> nodes.numberNode(number.value());
      case Attribute.OfBoolean truth -> nodes.booleanNode(truth.value());
      case Attribute.OfInstant time -> nodes.textNode(time.value().toString());
      case Attribute.OfTexts texts -> {
        var array = nodes.arrayNode();
        texts.values().forEach(text -> array.add(KeyText.column(text)));
        yield array;
      }
      case Attribute.Removed removed -> nodes.nullNode();
    };
  }

  /** The stored form, read back. */
  static Attributes ofJson(String json) {
    if (json.equals("{}")) return NONE;
    try {
      TreeMap<String, Attribute> values = new TreeMap<>();
      JSON.readTree(json)
          .properties()
          .forEach(each -> values.put(KeyText.ofColumn(each.getKey()), value(each.getValue())));
      return new Attributes(values);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the stored search attributes are not JSON", e);
    }
  }

  private static Attribute value(JsonNode node) {
    if (node.isTextual()) return new Attribute.OfText(KeyText.ofColumn(node.textValue()));
    if (node.isBoolean()) return new Attribute.OfBoolean(node.booleanValue());
    if (node.isIntegralNumber() && node.canConvertToLong()) {
      return new Attribute.OfLong(node.longValue());
    }
    if (node.isNumber()) return new Attribute.OfDouble(node.doubleValue());
    List<String> texts = new ArrayList<>();
    node.forEach(text -> texts.add(KeyText.ofColumn(text.textValue())));
    return new Attribute.OfTexts(texts);
  }
}
