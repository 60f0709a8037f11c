package dev.tenure.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * One logical call, the same through all its tries.
 *
 * @param target path and query
 * @param key by which the server recognises it
 * @param timeLimit of one try, from its beginning to the last byte of the answer
 */
record Request(
    String method,
    String target,
    Optional<ObjectNode> body,
    Map<String, String> headers,
    Optional<String> key,
    Repeatable repeatable,
    Duration timeLimit) {
  /** Whether it may be tried again after a try with an unknown outcome. */
  enum Repeatable {
    /**
     * It changes nothing, is recognised by its key, or leads to a state that nothing leads out of.
     */
    YES,
    /** Another client may have done the opposite in the meantime. */
    NO
  }

  private static final String UNRESERVED =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_~";
  private static final Duration TIME_LIMIT = Duration.ofSeconds(30);

  static Request get(String path, Map<String, String> query) {
    String target =
        query.isEmpty()
            ? path
            : query.entrySet().stream()
                .map(pair -> pair.getKey() + "=" + form(pair.getValue()))
                .collect(Collectors.joining("&", path + "?", ""));
    return new Request(
        "GET", target, Optional.empty(), Map.of(), Optional.empty(), Repeatable.YES, TIME_LIMIT);
  }

  static Request post(String path, ObjectNode body) {
    return new Request(
        "POST", path, Optional.of(body), Map.of(), Optional.empty(), Repeatable.YES, TIME_LIMIT);
  }

  Request header(String name, String value) {
    Map<String, String> all = new LinkedHashMap<>(headers);
    all.put(name, value);
    return new Request(method, target, body, all, key, repeatable, timeLimit);
  }

  /** It is in the body already. */
  Request recognisedBy(String keyInBody) {
    return new Request(
        method, target, body, headers, Optional.of(keyInBody), repeatable, timeLimit);
  }

  Request idempotencyKey(String value) {
    return header("Idempotency-Key", value).recognisedBy(value);
  }

  Request notRepeatable() {
    return new Request(method, target, body, headers, key, Repeatable.NO, timeLimit);
  }

  Request timeLimit(Duration limit) {
    return new Request(method, target, body, headers, key, repeatable, limit);
  }

  private static String form(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** The path of a workflow, or of something about it; two ids never become one. */
  static String workflow(String id, String... more) {
    StringBuilder path = new StringBuilder(path("workflows", id));
    for (String each : more) path.append('/').append(part(each));
    return path.toString();
  }

  /** The path of something else that has an id. */
  static String path(String kind, String id) {
    return "/api/v1/" + kind + "/" + part(id);
  }

  private static String part(String text) {
    if (text.isEmpty()) throw new IllegalArgumentException("ids and names are not empty");
    // A dot alone, or two of them, would be taken out of the path on its way.
    boolean dots = text.equals(".") || text.equals("..");
    StringBuilder part = new StringBuilder();
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      if (b > 0 && UNRESERVED.indexOf(b) >= 0 || b == '.' && !dots) part.append((char) b);
      else part.append("%%%02X".formatted(b & 0xff));
    }
    return part.toString();
  }
}
