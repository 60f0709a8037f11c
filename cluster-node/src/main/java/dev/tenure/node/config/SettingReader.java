package dev.tenure.node.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Reads single settings and collects what is wrong with them. After a problem it returns a
 * placeholder, so that reading goes on and all problems are reported at once. The caller must check
 * the problems before it uses any value.
 */
final class SettingReader {
  private final Config config;
  private final Problems problems;

  SettingReader(Config config, Problems problems) {
    this.config = config;
    this.problems = problems;
  }

  /** A whole number within limits. */
  int integer(String key, int smallest, int largest) {
    String allowed = "a whole number from %d to %d".formatted(smallest, largest);
    Optional<String> text = text(key);
    if (text.isEmpty()) return missing(key, allowed, smallest);
    try {
      int value = Integer.parseInt(text.get().strip());
      if (value >= smallest && value <= largest) return value;
    } catch (NumberFormatException e) {
      // Reported below, together with numbers that are out of range.
    }
    return wrong(key, allowed, smallest);
  }

  boolean flag(String key) {
    Optional<String> text = text(key);
    if (text.isEmpty()) return missing(key, "true or false", false);
    if (text.get().equals("true")) return true;
    if (text.get().equals("false")) return false;
    return wrong(key, "true or false", false);
  }

  /** A duration; its unit is mandatory, since a bare number would silently mean milliseconds. */
  Duration duration(String key, Duration shortest, Duration longest) {
    String allowed =
        "a duration with its unit from %s to %s".formatted(written(shortest), written(longest));
    Optional<String> text = text(key);
    if (text.isEmpty()) return missing(key, allowed, shortest);
    if (text.get().strip().matches("-?[0-9.]+")) return wrong(key, allowed, shortest);
    try {
      Duration value = config.getDuration(key);
      if (value.compareTo(shortest) >= 0 && value.compareTo(longest) <= 0) return value;
    } catch (ConfigException e) {
      // Reported below, together with durations that are out of range.
    }
    return wrong(key, allowed, shortest);
  }

  String choice(String key, Set<String> choices) {
    String allowed = String.join(" or ", choices.stream().sorted().toList());
    String first = choices.stream().sorted().findFirst().orElseThrow();
    Optional<String> text = text(key);
    if (text.isEmpty()) return missing(key, allowed, first);
    return choices.contains(text.get()) ? text.get() : wrong(key, allowed, first);
  }

  String required(String key, String allowed) {
    return text(key).orElseGet(() -> missing(key, allowed, ""));
  }

  /** A value that may be absent: null or empty. */
  Optional<String> text(String key) {
    if (!config.hasPath(key)) return Optional.empty();
    ConfigValue value = config.getValue(key);
    if (value.valueType() == ConfigValueType.LIST) {
      problem(key, "is a list; a single value is wanted");
      return Optional.empty();
    }
    return Optional.of(value.unwrapped().toString()).filter(text -> !text.isBlank());
  }

  /** A secret: given itself, or in a file whose name is given under {@code key-file}. */
  Optional<Secret> secret(String key) {
    String fileKey = key + "-file";
    Optional<String> itself = text(key);
    Optional<String> file = text(fileKey);
    if (itself.isPresent() && file.isPresent()) {
      problem(fileKey, "and " + key + " are both set; keep one of them");
      return Optional.empty();
    }
    if (file.isEmpty()) return itself.map(Secret::new);
    return secretFrom(fileKey, file.get());
  }

  private Optional<Secret> secretFrom(String fileKey, String file) {
    try {
      // Files made by hand end with a line break that is no part of the secret.
      String content = Files.readString(Path.of(file), StandardCharsets.UTF_8).stripTrailing();
      if (!content.isEmpty()) return Optional.of(new Secret(content));
      wrong(fileKey, "a file that is not empty", "");
    } catch (IOException | IllegalArgumentException e) {
      wrong(fileKey, "a readable file (" + e.getClass().getSimpleName() + ")", "");
    }
    return Optional.empty();
  }

  /** A problem with one key, whose value is not repeated. */
  void problem(String key, String what) {
    String variable = ConfigurationSources.variableOf(key);
    problems.add(key, "%s %s (environment: %s)".formatted(origin(key), what, variable));
  }

  /** Reports that the value of the key is not what is allowed. */
  <T> T wrong(String key, String allowed, T standIn) {
    String value = config.hasPath(key) ? config.getValue(key).unwrapped().toString() : "";
    String hint =
        value.startsWith("tcp://")
            ? ". Kubernetes made this variable for a service of that name: set enableServiceLinks:"
                + " false"
            : "";
    problem(key, "is '%s'; allowed is %s%s".formatted(value, allowed, hint));
    return standIn;
  }

  private <T> T missing(String key, String allowed, T standIn) {
    if (!problems.concern(key)) problem(key, "is not set; wanted is " + allowed);
    return standIn;
  }

  private String origin(String key) {
    return config.hasPath(key) ? KnownSettings.at(config.getValue(key)) : "";
  }

  private static String written(Duration duration) {
    return duration.toMillis() % 1000 == 0
        ? duration.toSeconds() + "s"
        : duration.toMillis() + "ms";
  }
}
