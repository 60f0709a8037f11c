package dev.tenure.node.config;

import java.util.ArrayList;
import java.util.List;

/** What was found to be wrong so far. */
final class Problems {
  private record Problem(String key, String text) {}

  private final List<Problem> found = new ArrayList<>();

  void add(String key, String text) {
    found.add(new Problem(key, text));
  }

  /**
   * Whether the key, or a section around it, was reported: then what follows from it need not be.
   */
  boolean concern(String key) {
    return found.stream().anyMatch(p -> key.equals(p.key) || key.startsWith(p.key + "."));
  }

  boolean isEmpty() {
    return found.isEmpty();
  }

  int count() {
    return found.size();
  }

  ConfigurationError asError() {
    return new ConfigurationError(found.stream().map(p -> p.key + p.text).toList());
  }
}
