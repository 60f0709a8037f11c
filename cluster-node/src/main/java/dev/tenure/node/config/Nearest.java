package dev.tenure.node.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** The name that was probably meant. */
final class Nearest {
  private Nearest() {}

  /**
   * The known name that is a few typing errors away, or has the same last part in another place.
   */
  static Optional<String> to(String given, Collection<String> known) {
    int allowed = Math.max(2, given.length() / 5);
    Optional<String> close =
        known.stream()
            .filter(name -> distance(given, name) <= allowed)
            .min(Comparator.comparingInt(name -> distance(given, name)));
    return close.or(
        () -> known.stream().filter(name -> last(name).equals(last(given))).sorted().findFirst());
  }

  private static String last(String path) {
    return path.substring(path.lastIndexOf('.') + 1);
  }

  /** How many characters must be inserted, deleted or replaced (Levenshtein). */
  static int distance(String a, String b) {
    int[] previous = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) previous[j] = j;
    for (int i = 1; i <= a.length(); i++) {
      int[] current = new int[b.length() + 1];
      current[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(replaced, Math.min(previous[j], current[j - 1]) + 1);
      }
      previous = current;
    }
    return previous[b.length()];
  }
}
