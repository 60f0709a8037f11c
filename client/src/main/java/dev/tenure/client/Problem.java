package dev.tenure.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.time.Duration;
import java.util.Optional;

/**
 * Why a request was not carried out, as {@code application/problem+json} says it.
 *
 * @param status of HTTP; 0 when there was no answer
 * @param code the word for machines
 * @param detail what it is, and what to do about it
 * @param document all of it; an empty object when there was no answer
 * @param retryAfter when the server said so
 */
public record Problem(
    int status, String code, String detail, JsonNode document, Optional<Duration> retryAfter) {
  /** What this client says when the server did not. */
  static Problem of(String code, String detail) {
    return new Problem(0, code, detail, JsonNodeFactory.instance.objectNode(), Optional.empty());
  }

  static Problem of(int status, JsonNode document, Optional<Duration> retryAfter) {
    String detail = document.path("detail").asText();
    return new Problem(
        status,
        document.path("code").asText(),
        detail.isEmpty() ? document.path("title").asText() : detail,
        document,
        retryAfter);
  }

  String text(String field) {
    return document.path(field).asText();
  }

  /** What was wrong with which input, when the server said so, as an addition to a sentence. */
  String errors() {
    StringBuilder all = new StringBuilder();
    for (JsonNode error : document.path("errors")) {
      if (error.path("pointer").asText().isEmpty()) continue;
      all.append(all.isEmpty() ? " (" : "; ");
      all.append(error.path("pointer").asText()).append(": ").append(error.path("detail").asText());
    }
    return all.isEmpty() ? "" : all.append(")").toString();
  }
}
