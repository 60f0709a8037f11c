package dev.tenure.http.access;

import dev.tenure.http.json.InvalidJsonError;
import dev.tenure.http.json.Json;
import dev.tenure.http.json.JsonReader;
import dev.tenure.http.schema.FieldError;
import dev.tenure.http.schema.Schema;
import dev.tenure.http.schema.Schema.Choice;
import dev.tenure.http.schema.Schema.ListOf;
import dev.tenure.http.schema.Schema.Text;
import dev.tenure.http.schema.Shape;
import dev.tenure.workflow.ActivityRouting;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The API keys of a file. It holds hashes, not keys: a key is 32 random bytes or more, so that a
 * plain SHA-256 cannot be turned around, and a reader of the file cannot call the API.
 */
public final class ApiKeys {
  public static final int KEYS_MAX = 10_000;

  /** To which one key may be limited. */
  public static final int QUEUES_MAX = 1_000;

  /** Shorter ones could be guessed from their hashes. */
  public static final int KEY_CHARS_MIN = 32;

  private static final Schema FILE =
      Shape.named("ApiKeyFile")
          .required(
              "keys",
              new ListOf(
                  Shape.named("ApiKey")
                      .required("name", new Text("name", 1, 128), "")
                      .required("sha256", new Text("sha256", 64, 64), "")
                      .required(
                          "scopes",
                          new ListOf(
                              new Choice(Arrays.stream(Scope.values()).map(Scope::word).toList()),
                              Scope.values().length),
                          "")
                      .optional(
                          "queues",
                          new ListOf(
                              new Text("queue", 1, ActivityRouting.QUEUE_BYTES_MAX), QUEUES_MAX),
                          "")
                      .schema(),
                  KEYS_MAX),
              "")
          .schema();

  private static final MessageDigest SHA_256 = newSha256();

  private static MessageDigest newSha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  private final Map<String, Caller> byHash;

  private ApiKeys(Map<String, Caller> byHash) {
    this.byHash = Map.copyOf(byHash);
  }

  public static ApiKeys none() {
    return new ApiKeys(Map.of());
  }

  /** Reads {@code {"keys": [{"name": …, "sha256": …, "scopes": […], "queues": […]}]}}. */
  public static ApiKeys read(Path file) {
    try {
      return of(Files.readAllBytes(file));
    } catch (IOException e) {
      throw new AccessError("The file of API keys %s cannot be read.".formatted(file), e);
    } catch (InvalidJsonError e) {
      throw new AccessError("The file of API keys %s: %s.".formatted(file, e.getMessage()), e);
    }
  }

  static ApiKeys of(byte[] document) {
    Json root = JsonReader.read(document);
    List<FieldError> found = new ArrayList<>();
    FILE.check(root, "", found);
    if (!found.isEmpty()) {
      throw new AccessError("The file of API keys is not as it should be: " + found);
    }
    Map<String, Caller> byHash = new HashMap<>();
    for (Json key : items(root, "keys")) {
      String hash = text(key, "sha256").toLowerCase(Locale.ROOT);
      if (!hash.matches("[0-9a-f]{64}")) {
        throw new AccessError(
            "The sha256 of the API key \"%s\" is not 64 hexadecimal digits."
                .formatted(text(key, "name")));
      }
      Set<Scope> scopes =
          items(key, "scopes").stream()
              .map(word -> Scope.parse(((Json.Text) word).value()).orElseThrow())
              .collect(Collectors.toSet());
      if (byHash.put(hash, new Caller(text(key, "name"), scopes, queues(key))) != null) {
        throw new AccessError(
            "The API key \"%s\" stands there twice.".formatted(text(key, "name")));
      }
    }
    return new ApiKeys(byHash);
  }

  private static Optional<Set<String>> queues(Json key) {
    if (!((Json.Obj) key).fields().containsKey("queues")) return Optional.empty();
    return Optional.of(
        items(key, "queues").stream()
            .map(queue -> ((Json.Text) queue).value())
            .collect(Collectors.toSet()));
  }

  private static List<Json> items(Json of, String field) {
    return ((Json.Arr) ((Json.Obj) of).fields().get(field)).items();
  }

  private static String text(Json of, String field) {
    return ((Json.Text) ((Json.Obj) of).fields().get(field)).value();
  }

  /**
   * Whose key this is. What is compared are hashes: how long it takes tells nothing about a key.
   */
  Optional<Caller> find(String key) {
    if (key.length() < KEY_CHARS_MIN) return Optional.empty();
    return Optional.ofNullable(byHash.get(hashOf(key)));
  }

  /** What stands in the file for a key. */
  public static String hashOf(String key) {
    return HexFormat.of().formatHex(sha256().digest(key.getBytes(StandardCharsets.UTF_8)));
  }

  /** A fresh one: to copy it is cheaper than to look its algorithm up with every request. */
  private static MessageDigest sha256() {
    try {
      return (MessageDigest) SHA_256.clone();
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException("the platform's own SHA-256 can be copied", e);
    }
  }
}
