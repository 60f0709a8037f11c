package dev.tenure.workflow;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/** One value that workflows can be found by. */
public sealed interface Attribute {
  int NAME_BYTES_MAX = 128;
  int TEXT_BYTES_MAX = 2_048;
  int LIST_MAX = 64;

  /** How many attributes one workflow may have. */
  int COUNT_MAX = 64;

  record OfText(String value) implements Attribute {
    public OfText {
      long bytes = Text.utf8Bytes("attribute", value);
      if (Admitted.refuses(bytes > TEXT_BYTES_MAX))
        throw new LimitExceededException(
            "TEXT_BYTES_MAX", bytes, TEXT_BYTES_MAX, "Shorten the attribute's value.");
    }
  }

  record OfLong(long value) implements Attribute {}

  record OfDouble(double value) implements Attribute {
    public OfDouble {
      if (Double.isNaN(value) || Double.isInfinite(value))
        throw new IllegalArgumentException("An attribute is a finite number, not " + value + ".");
    }
  }

  record OfBoolean(boolean value) implements Attribute {}

  record OfInstant(Instant value) implements Attribute {}

  record OfTexts(List<String> values) implements Attribute {
    public OfTexts {
      values = List.copyOf(values);
      if (Admitted.refuses(values.size() > LIST_MAX))
        throw new LimitExceededException(
            "LIST_MAX", values.size(), LIST_MAX, "Keep fewer values in the attribute.");
      for (String value : values) new OfText(value);
    }
  }

  /** The attribute is taken away. */
  record Removed() implements Attribute {}

  /** The map itself, once all its names can be used. */
  static Map<String, Attribute> requireNames(Map<String, Attribute> attributes) {
    for (String name : attributes.keySet()) Text.require("attribute name", name, NAME_BYTES_MAX);
    return Map.copyOf(attributes);
  }

  /** From an ordinary Java value; null takes the attribute away. */
  static Attribute of(Object value) {
    return switch (value) {
      case null -> new Removed();
      case Attribute already -> already;
      case Boolean yes -> new OfBoolean(yes);
      case Integer number -> new OfLong(number);
      case Long number -> new OfLong(number);
      case Short number -> new OfLong(number);
      case Double number -> new OfDouble(number);
      case Float number -> new OfDouble(number);
      case Instant instant -> new OfInstant(instant);
      case Enum<?> constant -> new OfText(constant.name());
      case CharSequence text -> new OfText(text.toString());
      case List<?> list -> new OfTexts(list.stream().map(String::valueOf).toList());
      default ->
          throw new IllegalArgumentException(
              "A %s cannot be searched by: use text, numbers, booleans, instants or a list of texts."
                  .formatted(value.getClass().getName()));
    };
  }
}
