package dev.tenure.activities.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.tenure.activities.json.Json;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a URL answered. It is recorded with the workflow.
 *
 * @param headers those that {@link HttpSettings#keepingHeaders} names
 */
public record HttpAnswer(int status, SortedMap<String, String> headers, String body) {
  public HttpAnswer {
    SortedMap<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    if (headers != null) all.putAll(headers);
    headers = Collections.unmodifiableSortedMap(all);
    body = body == null ? "" : body;
  }

  static HttpAnswer of(int status, Map<String, String> headers, String body) {
    return new HttpAnswer(status, new TreeMap<>(headers), body);
  }

  public Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name));
  }

  /** The body as a tree; throws {@link IllegalStateException} when it is not one JSON document. */
  public JsonNode json() {
    try {
      JsonNode document = Json.MAPPER.readTree(body);
      if (document.isMissingNode()) throw new IllegalStateException("The answer has no body.");
      return document;
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("The answer is no JSON: " + e.getOriginalMessage(), e);
    }
  }

  /**
   * The body as a value of that type; throws {@link IllegalStateException} when it is none. It has
   * to have each property of the type: read one that may be missing from {@link #json}.
   */
  public <T> T as(Class<T> type) {
    try {
      return Json.COMPLETE.treeToValue(json(), type);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(
          "The answer is no %s: %s".formatted(type.getSimpleName(), e.getOriginalMessage()), e);
    }
  }
}
