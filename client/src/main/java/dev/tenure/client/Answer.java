package dev.tenure.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Reads a server's answer: an error names a missing field, and unknown fields are ignored. */
record Answer(JsonNode node) {
  private JsonNode required(String field) {
    JsonNode value = node.get(field);
    if (value == null) throw unreadable(field);
    return value;
  }

  private static TenureException unreadable(String field) {
    return new TenureException.NotTenure(
        "The answer has no usable field \"%s\": is this the address of a Tenure server?"
            .formatted(field));
  }

  String text(String field) {
    return required(field).asText();
  }

  long whole(String field) {
    return required(field).asLong();
  }

  boolean flag(String field) {
    return required(field).asBoolean();
  }

  Instant time(String field) {
    return time(field, required(field));
  }

  private static Instant time(String field, JsonNode value) {
    try {
      return Instant.parse(value.asText());
    } catch (DateTimeParseException e) {
      throw unreadable(field);
    }
  }

  WorkflowStatus status() {
    return WorkflowStatus.of(text("status"));
  }

  Optional<JsonNode> optional(String field) {
    return Optional.ofNullable(node.get(field));
  }

  Optional<String> optionalText(String field) {
    return optional(field).map(JsonNode::asText);
  }

  Optional<Instant> optionalTime(String field) {
    return optional(field).map(value -> time(field, value));
  }

  Optional<Failure> failure(String field) {
    return optional(field).map(value -> Failure.of(new Answer(value)));
  }

  Answer within(String field) {
    return new Answer(required(field));
  }

  <T> List<T> all(String field, Function<Answer, T> reader) {
    List<T> all = new ArrayList<>();
    required(field).forEach(each -> all.add(reader.apply(new Answer(each))));
    return List.copyOf(all);
  }
}
