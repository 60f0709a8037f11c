package dev.tenure.node.http;

import dev.tenure.http.access.ApiKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Somebody who may do everything. */
public final class Operator {
  public static final String KEY = "an-operators-key-of-more-than-thirty-two-characters";

  private Operator() {}

  /** A file of keys that knows this operator's. */
  public static Path keys(Path folder) throws IOException {
    return Files.writeString(folder.resolve("keys.json"), knowing(KEY));
  }

  static String knowing(String key) {
    return "{\"keys\":[{\"name\":\"op\",\"sha256\":\"%s\",\"scopes\":[\"admin\"]}]}"
        .formatted(ApiKeys.hashOf(key));
  }
}
