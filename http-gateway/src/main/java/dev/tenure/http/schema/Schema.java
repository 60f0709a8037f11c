package dev.tenure.http.schema;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tenure.http.json.Json;
import dev.tenure.http.json.JsonReader;
import dev.tenure.workflow.InvalidTextError;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * What a value may be. The same object judges what comes in and is written into the description of
 * the API: what is documented is what is checked.
 */
public sealed interface Schema {
  /** Adds everything that is wrong with the value. */
  void check(Json value, String pointer, List<FieldError> found);

  /** As JSON Schema; named ones are put into the components and referred to. */
  ObjectNode describe(Components components);

  /** How a value is read that came as text, in a path, a query or a header. */
  default Json ofText(String text) {
    return Json.text(text);
  }

  static ObjectNode node(String type) {
    return JsonNodeFactory.instance.objectNode().put("type", type);
  }

  static void wrong(List<FieldError> found, String pointer, Json value, String expected) {
    found.add(new FieldError(pointer, "expected " + expected + ", found " + value.kind()));
  }

  /** A text between so many bytes of UTF-8; never trimmed, normalised or folded. */
  record Text(String what, int bytesMin, int bytesMax) implements Schema {
    @Override
    public void check(Json value, String pointer, List<FieldError> found) {
      if (!(value instanceof Json.Text(String text, Json.Slice at))) {
        wrong(found, pointer, value, "a string");
        return;
      }
      try {
        long bytes = dev.tenure.workflow.Text.utf8Bytes(what, text);
        if (bytes < bytesMin) {
          found.add(new FieldError(pointer, "it is empty: give it at least one character"));
        } else if (bytes > bytesMax) {
          found.add(
              new FieldError(
                  pointer,
                  "it takes %d bytes of UTF-8, more than the limit of %d"
                      .formatted(bytes, bytesMax)));
        }
      } catch (InvalidTextError e) {
        found.add(new FieldError(pointer, e.getMessage()));
      }
    }

    @Override
    public ObjectNode describe(Components components) {
      ObjectNode node = node("string");
      if (bytesMin > 0) node.put("minLength", 1);
      // JSON Schema counts characters; a text that fits in bytes fits in characters.
      node.put("maxLength", bytesMax);
      return node.put("description", "At most %d bytes of UTF-8.".formatted(bytesMax));
    }
  }

  /** A whole number. */
  record Whole(long min, long max) implements Schema {
    @Override
    public void check(Json value, String pointer, List<FieldError> found) {
      if (!(value instanceof Json.Num(String literal, Json.Slice at))
          || !literal.matches("0|-?[1-9][0-9]{0,18}")) {
        wrong(found, pointer, value, "a whole number from " + min + " to " + max);
        return;
      }
      long number = Long.parseLong(literal);
      if (number < min || number > max) {
        found.add(new FieldError(pointer, "it must be from " + min + " to " + max));
      }
    }

    @Override
    public ObjectNode describe(Components components) {
      ObjectNode node = node("integer").put("minimum", min).put("maximum", max);
      return node.put("format", max > Integer.MAX_VALUE ? "int64" : "int32");
    }

    @Override
    public Json ofText(String text) {
      return text.matches("-?[0-9]{1,18}") ? new Json.Num(text, Json.Slice.NONE) : Json.text(text);
    }
  }

  record Flag() implements Schema {
    @Override
    public void check(Json value, String pointer, List<FieldError> found) {
      if (!(value instanceof Json.Bool)) wrong(found, pointer, value, "true or false");
    }

    @Override
    public ObjectNode describe(Components components) {
      return node("boolean");
    }

    @Override
    public Json ofText(String text) {
      if (text.equals("true")) return new Json.Bool(true, Json.Slice.NONE);
      return text.equals("false") ? new Json.Bool(false, Json.Slice.NONE) : Json.text(text);
    }
  }

  /**
   * Any JSON at all, handed on byte by byte.
   *
   * @param bytesMax 0 for no limit of its own
   */
  record Anything(int bytesMax) implements Schema {
    @Override
    public void check(Json value, String pointer, List<FieldError> found) {
      // Its size is judged by the engine, which has an error of its own for it.
    }

    @Override
    public ObjectNode describe(Components components) {
      ObjectNode node = JsonNodeFactory.instance.objectNode();
      return bytesMax == 0
          ? node.put("description", "Any JSON.")
          : node.put("description", "Any JSON, at most %d bytes of it.".formatted(bytesMax));
    }
  }

  /** One of some words. */
  record Choice(List<String> words) implements Schema {
    public Choice {
      words = List.copyOf(words);
    }

    @Override
    public void check(Json value, String pointer, List<FieldError> found) {
      if (!(value instanceof Json.Text(String text, Json.Slice at))) {
        wrong(found, pointer, value, "one of " + words);
      } else if (!words.contains(text)) {
        found.add(new FieldError(pointer, "expected one of " + words));
      }
    }

    @Override
    public ObjectNode describe(Components components) {
      ObjectNode node = node("string");
      words.forEach(node.putArray("enum")::add);
      return node;
    }
  }

  /** A moment, in ISO-8601. */
  record Moment() implements Schema {
    @Override
    public void check(Json value, String pointer, List<FieldError> found) {
      if (!(value instanceof Json.Text(String text, Json.Slice at))) {
        wrong(found, pointer, value, "a time like 2026-03-01T09:00:00Z");
        return;
      }
      try {
        Instant.parse(text);
      } catch (DateTimeException e) {
        found.add(
            new FieldError(pointer, "it is no time that exists: write it as 2026-03-01T09:00:00Z"));
      }
    }

    @Override
    public ObjectNode describe(Components components) {
      return node("string").put("format", "date-time");
    }
  }

  /** A span of time, in ISO-8601, more than nothing. */
  record Span(Duration max) implements Schema {
    private static final int CHARS_MAX = 64;

    @Override
    public void check(Json value, String pointer, List<FieldError> found) {
      if (!(value instanceof Json.Text(String text, Json.Slice at))) {
        wrong(found, pointer, value, "a span of time like PT30S");
        return;
      }
      try {
        if (text.length() > CHARS_MAX) throw new DateTimeException("too long");
        Duration span = Duration.parse(text);
        if (span.isNegative() || span.isZero() || span.compareTo(max) > 0) {
          found.add(new FieldError(pointer, "it must be more than 0 and at most " + max));
        }
      } catch (DateTimeException | ArithmeticException e) {
        found.add(new FieldError(pointer, "it is no span of time: write it as PT30S or PT2H"));
      }
    }

    @Override
    public ObjectNode describe(Components components) {
      return node("string").put("format", "duration");
    }
  }

  /** Some values of one kind. */
  record ListOf(Schema item, int itemsMax) implements Schema {
    @Override
    public void check(Json value, String pointer, List<FieldError> found) {
      if (!(value instanceof Json.Arr(List<Json> items, Json.Slice at))) {
        wrong(found, pointer, value, "an array");
        return;
      }
      if (items.size() > itemsMax) {
        found.add(
            new FieldError(
                pointer, "it has %d items, at most %d".formatted(items.size(), itemsMax)));
        return;
      }
      for (int i = 0; i < items.size(); i++) item.check(items.get(i), pointer + "/" + i, found);
    }

    @Override
    public ObjectNode describe(Components components) {
      ObjectNode node = node("array").put("maxItems", itemsMax);
      node.set("items", item.describe(components));
      return node;
    }

    /** In a query: words with commas between them. */
    @Override
    public Json ofText(String text) {
      return new Json.Arr(
          List.of(text.split(",", -1)).stream().map(item::ofText).toList(), Json.Slice.NONE);
    }
  }

  /** Values under names of the sender's choice. */
  record MapOf(Schema value, Text names, int entriesMax) implements Schema {
    @Override
    public void check(Json found, String pointer, List<FieldError> errors) {
      if (!(found instanceof Json.Obj(var fields, Json.Slice at))) {
        wrong(errors, pointer, found, "an object");
        return;
      }
      if (fields.size() > entriesMax) {
        errors.add(
            new FieldError(
                pointer, "it has %d entries, at most %d".formatted(fields.size(), entriesMax)));
        return;
      }
      fields.forEach(
          (name, each) -> {
            String place = pointer + "/" + JsonReader.escaped(name);
            names.check(Json.text(name), place, errors);
            value.check(each, place, errors);
          });
    }

    @Override
    public ObjectNode describe(Components components) {
      ObjectNode node = node("object").put("maxProperties", entriesMax);
      node.set("additionalProperties", value.describe(components));
      return node;
    }

    /** In a query: JSON. */
    @Override
    public Json ofText(String text) {
      return JsonReader.read(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
  }

  /** A value that fits one of several schemas. */
  record AnyOf(String expected, List<Schema> schemas) implements Schema {
    @Override
    public void check(Json value, String pointer, List<FieldError> found) {
      for (Schema schema : schemas) {
        List<FieldError> errors = new java.util.ArrayList<>();
        schema.check(value, pointer, errors);
        if (errors.isEmpty()) return;
      }
      wrong(found, pointer, value, expected);
    }

    /**
     * In words: of a union of simple types, generators of clients make one that does not compile.
     */
    @Override
    public ObjectNode describe(Components components) {
      return JsonNodeFactory.instance
          .objectNode()
          .put("description", Character.toUpperCase(expected.charAt(0)) + expected.substring(1));
    }
  }

  /** A number of any kind. */
  record Number() implements Schema {
    @Override
    public void check(Json value, String pointer, List<FieldError> found) {
      if (!(value instanceof Json.Num)) wrong(found, pointer, value, "a number");
    }

    @Override
    public ObjectNode describe(Components components) {
      return node("number");
    }
  }

  /** An object of one shape: {@link Shape}. */
  record Named(Shape shape) implements Schema {
    @Override
    public void check(Json value, String pointer, List<FieldError> found) {
      shape.check(value, pointer, found);
    }

    @Override
    public ObjectNode describe(Components components) {
      return components.refer(shape);
    }
  }
}
