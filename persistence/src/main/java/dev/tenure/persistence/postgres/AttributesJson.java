package dev.tenure.persistence.postgres;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tenure.persistence.key.KeyText;
import dev.tenure.persistence.visibility.Attributes;
import dev.tenure.workflow.Attribute;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Search attributes as the column {@code attributes} has them. */
final class AttributesJson {
  private static final ObjectMapper JSON = new ObjectMapper();

  private AttributesJson() {}

  /** As it is stored; texts are escaped as keys are, because JSON in a database has no NUL. */
  static String of(Attributes attributes) {
    if (attributes.isEmpty()) return "{}";
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    attributes.values().forEach((name, value) -> object.set(KeyText.column(name), node(value)));
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
  static Attributes parse(String json) {
    if (json.equals("{}")) return Attributes.NONE;
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
