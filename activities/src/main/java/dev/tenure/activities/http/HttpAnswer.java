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
   * The body as a value of that type; throws {@link IllegalStateException} when it is none. The
   * type is a record, of which the body has to have each component and not all of them as null;
   * String, a number or Boolean; or {@code Map} or {@code JsonNode}, in which the caller looks for
   * what it needs. Any other type, such as a bean, is refused with {@link AnswerTypeException}:
   * <code>{}</code> would be one. Read what may be missing from {@link #json}.
   */
  public <T> T as(Class<T> type) {
    Demanding.require(type);
    try {
      T value = Json.COMPLETE.treeToValue(json(), type);
      if (Demanding.isEmpty(value))
        throw new IllegalStateException(
            "The answer is no %s: it says nothing but null.".formatted(type.getSimpleName()));
      return value;
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(
          "The answer is no %s: %s".formatted(type.getSimpleName(), e.getOriginalMessage()), e);
    }
  }
}
