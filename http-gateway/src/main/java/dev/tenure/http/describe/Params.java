package dev.tenure.http.describe;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tenure.http.api.Input;
import dev.tenure.http.schema.Components;
import java.util.List;

/** Inputs as the fields of an object. */
final class Params {
  private Params() {}

  static ObjectNode object(List<Input> inputs, Components components) {
    ObjectNode node = JsonNodeFactory.instance.objectNode().put("type", "object");
    ObjectNode properties = node.putObject("properties");
    for (Input input : inputs) properties.set(input.name(), described(input, components));
    if (inputs.stream().anyMatch(Input::required)) {
      ArrayNode required = node.putArray("required");
      inputs.stream().filter(Input::required).forEach(input -> required.add(input.name()));
    }
    return node.put("additionalProperties", false);
  }

  static ObjectNode described(Input input, Components components) {
    ObjectNode schema = input.schema().describe(components);
    if (input.about().isEmpty()) return schema;
    String own = schema.path("description").asText("");
    return schema.put("description", own.isEmpty() ? input.about() : input.about() + " " + own);
  }
}
