package dev.tenure.http.schema;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.Map;

/** The shapes that a description refers to, each once. */
public final class Components {
  private final String prefix;
  private final ObjectNode schemas = JsonNodeFactory.instance.objectNode();
  private final Map<String, Shape> known = new HashMap<>();

  /**
   * @param prefix where they stand in the document
   */
  public Components(String prefix) {
    this.prefix = prefix;
  }

  ObjectNode refer(Shape shape) {
    Shape other = known.putIfAbsent(shape.name(), shape);
    if (other != null && other != shape) {
      throw new IllegalStateException("two shapes call themselves " + shape.name());
    }
    if (other == null) schemas.set(shape.name(), shape.describe(this));
    return JsonNodeFactory.instance.objectNode().put("$ref", prefix + shape.name());
  }

  public ObjectNode schemas() {
    return schemas;
  }
}
