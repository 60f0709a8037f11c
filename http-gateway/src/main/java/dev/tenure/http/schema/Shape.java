package dev.tenure.http.schema;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tenure.http.json.Json;
import dev.tenure.http.json.JsonReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The fields of an object, under a name that stands in the description of the API. */
public final class Shape {
  /** One field. */
  public record Field(String name, Schema schema, boolean required, String about) {}

  private final String name;
  private final List<Field> fields = new ArrayList<>();
  private boolean closed;

  private Shape(String name) {
    this.name = name;
  }

  public static Shape named(String name) {
    return new Shape(name);
  }

  public Shape required(String field, Schema schema, String about) {
    fields.add(new Field(field, schema, true, about));
    return this;
  }

  public Shape optional(String field, Schema schema, String about) {
    fields.add(new Field(field, schema, false, about));
    return this;
  }

  /**
   * For what clients send: says in the description, too, that there are no other fields. What they
   * are answered may get more, and a client that was generated before must not stumble over them.
   */
  public Shape closed() {
    closed = true;
    return this;
  }

  public Schema schema() {
    return new Schema.Named(this);
  }

  public String name() {
    return name;
  }

  public List<Field> fields() {
    return List.copyOf(fields);
  }

  private Optional<Field> field(String wanted) {
    return fields.stream().filter(field -> field.name.equals(wanted)).findFirst();
  }

  /** An unknown field is an error: a misspelt option must not look as if it worked. */
  void check(Json value, String pointer, List<FieldError> found) {
    if (!(value instanceof Json.Obj(Map<String, Json> sent, Json.Slice at))) {
      Schema.wrong(found, pointer, value, "an object");
      return;
    }
    sent.forEach(
        (key, each) -> {
          String place = pointer + "/" + JsonReader.escaped(key);
          field(key)
              .ifPresentOrElse(
                  known -> known.schema.check(each, place, found),
                  () -> found.add(new FieldError(place, "there is no such field")));
        });
    for (Field field : fields) {
      if (field.required && !sent.containsKey(field.name)) {
        found.add(new FieldError(pointer + "/" + JsonReader.escaped(field.name), "it is missing"));
      }
    }
  }

  ObjectNode describe(Components components) {
    ObjectNode node = Schema.node("object");
    ObjectNode properties = node.putObject("properties");
    for (Field field : fields) properties.set(field.name, described(field, components));
    if (fields.stream().anyMatch(Field::required)) {
      var required = node.putArray("required");
      fields.stream().filter(Field::required).forEach(field -> required.add(field.name));
    }
    return closed ? node.put("additionalProperties", false) : node;
  }

  /** In this version of JSON Schema a reference may have a description beside it. */
  private static ObjectNode described(Field field, Components components) {
    ObjectNode node = field.schema.describe(components);
    if (field.about.isEmpty()) return node;
    String own = node.path("description").asText("");
    return node.put("description", own.isEmpty() ? field.about : field.about + " " + own);
  }
}
