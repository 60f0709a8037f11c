package dev.tenure.node.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import com.typesafe.config.ConfigValueType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The keys that exist: the leaves of {@code tenure} in reference.conf. A misspelt one is refused.
 */
final class KnownSettings {
  static final String ROOT = "tenure";

  private final Config defaults;
  private final SortedSet<String> keys = new TreeSet<>();
  private final SortedSet<String> sections = new TreeSet<>();

  KnownSettings(Config defaults) {
    this.defaults = defaults;
    collect(ROOT, defaults.getObject(ROOT));
  }

  private void collect(String path, ConfigObject section) {
    sections.add(path);
    section.forEach(
        (name, value) -> {
          String child = path + "." + name;
          if (value instanceof ConfigObject inner) collect(child, inner);
          else keys.add(child);
        });
  }

  SortedSet<String> keys() {
    return keys;
  }

  /** What the environment says about known keys. An empty variable counts as not set. */
  Config fromEnvironment(Map<String, String> environment) {
    Config found = ConfigFactory.empty();
    for (String key : keys) {
      String variable = ConfigurationSources.variableOf(key);
      String value = environment.getOrDefault(variable, "");
      if (value.isBlank()) continue;
      found = found.withValue(key, ConfigValueFactory.fromAnyRef(value, variable));
    }
    return found;
  }

  /**
   * Variables that look like a misspelt setting. They are not refused: container platforms invent
   * variables from service names.
   */
  List<String> suspiciousVariables(Map<String, String> environment) {
    List<String> variables = keys.stream().map(ConfigurationSources::variableOf).toList();
    return environment.keySet().stream()
        .filter(name -> name.startsWith("TENURE_") && !variables.contains(name))
        .flatMap(
            name ->
                variables.stream()
                    .filter(known -> Nearest.distance(name, known) <= 2)
                    .findFirst()
                    .map(
                        known -> "the variable " + name + " has no effect: is " + known + " meant?")
                    .stream())
        .sorted()
        .toList();
  }

  /** Removes what is not a setting from {@code given} and reports it. */
  Config checked(Config given, Problems problems) {
    for (String name : given.root().keySet()) {
      if (!name.equals(ROOT) && Nearest.distance(name, ROOT) <= 2) {
        problems.add(
            name, at(given.root().get(name)) + " is not a section; is " + ROOT + " meant?");
      }
    }
    if (!given.hasPathOrNull(ROOT)) return given;
    ConfigValue root = given.root().get(ROOT);
    if (root instanceof ConfigObject section) return checkedSection(given, ROOT, section, problems);
    problems.add(ROOT, at(root) + " is a section: write " + ROOT + " { … }");
    return given.withoutPath(ROOT);
  }

  private Config checkedSection(
      Config given, String path, ConfigObject section, Problems problems) {
    Config kept = given;
    for (Map.Entry<String, ConfigValue> entry : section.entrySet()) {
      String key = path + "." + entry.getKey();
      ConfigValue value = entry.getValue();
      Optional<String> problem = structureProblem(key, value);
      if (problem.isPresent()) {
        problems.add(key, at(value) + problem.get());
        kept = kept.withoutPath(quoted(path, entry.getKey()));
      } else if (value instanceof ConfigObject inner) {
        kept = checkedSection(kept, key, inner, problems);
      }
    }
    return kept;
  }

  private Optional<String> structureProblem(String key, ConfigValue value) {
    boolean isObject = value.valueType() == ConfigValueType.OBJECT;
    if (keys.contains(key)) {
      return isObject ? Optional.of(" is a single value, not a section") : Optional.empty();
    }
    if (sections.contains(key)) {
      return isObject ? Optional.empty() : Optional.of(" is a section: write " + key + " { … }");
    }
    String meant =
        Nearest.to(key, isObject ? sections : keys)
            .map(near -> "; is " + near + " meant?")
            .orElse("");
    return Optional.of(" is not a setting" + meant);
  }

  private static String quoted(String path, String name) {
    return path + "." + ConfigUtil.quoteString(name);
  }

  Config defaults() {
    return defaults;
  }

  static String at(ConfigValue value) {
    return " (" + value.origin().description() + ")";
  }
}
