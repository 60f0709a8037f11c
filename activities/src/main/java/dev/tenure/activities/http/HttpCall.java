package dev.tenure.activities.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.tenure.activities.json.Json;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What an activity is to send. It is recorded with the workflow, so credentials do not belong here:
 * see {@link HttpSettings#withHeaderFor}.
 *
 * @param contentType of the body; empty when there is none
 */
public record HttpCall(
    String method, String url, SortedMap<String, String> headers, String contentType, String body) {

  public HttpCall {
    // In one order only: a replay compares what is sent.
    headers = Collections.unmodifiableSortedMap(headers == null ? new TreeMap<>() : copy(headers));
    contentType = contentType == null ? "" : contentType;
    body = body == null ? "" : body;
  }

  public static HttpCall get(String url) {
    return of("GET", url);
  }

  public static HttpCall post(String url) {
    return of("POST", url);
  }

  public static HttpCall put(String url) {
    return of("PUT", url);
  }

  public static HttpCall delete(String url) {
    return of("DELETE", url);
  }

  public static HttpCall of(String method, String url) {
    return new HttpCall(method, url, new TreeMap<>(), "", "");
  }

  public HttpCall withHeader(String name, String value) {
    SortedMap<String, String> all = copy(headers);
    all.put(name, value);
    return new HttpCall(method, url, all, contentType, body);
  }

  /** The value as JSON: a record, a map, a list, a Jackson tree. */
  public HttpCall withJson(Object value) {
    try {
      return withText("application/json", Json.MAPPER.writeValueAsString(value));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "A %s cannot be written as JSON.".formatted(value.getClass().getName()), e);
    }
  }

  /** Sent in UTF-8. */
  public HttpCall withText(String type, String text) {
    return new HttpCall(method, url, headers, type, text);
  }

  private static SortedMap<String, String> copy(Map<String, String> headers) {
    SortedMap<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    all.putAll(headers);
    return all;
  }
}
