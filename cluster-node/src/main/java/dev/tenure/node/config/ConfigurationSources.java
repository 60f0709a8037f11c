package dev.tenure.node.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigResolveOptions;
import com.typesafe.config.ConfigValueFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Where settings come from, the strongest first: what the caller fixes (command line, embedding
 * code), environment variables, the file, the defaults in {@code reference.conf}.
 */
public record ConfigurationSources(
    Config overrides, Map<String, String> environment, Optional<Path> file) {

  public static ConfigurationSources ofEnvironment(Map<String, String> environment) {
    return new ConfigurationSources(ConfigFactory.empty(), environment, Optional.empty());
  }

  public ConfigurationSources withFile(Path file) {
    return new ConfigurationSources(overrides, environment, Optional.of(file));
  }

  public ConfigurationSources withOverrides(Config overrides) {
    return new ConfigurationSources(overrides, environment, file);
  }

  /** The environment variable that overrides a key: {@code tenure.http.port}: TENURE_HTTP_PORT. */
  public static String variableOf(String key) {
    return key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
  }

  /** The defaults alone, as they are without any environment. */
  static Config defaults() {
    return ConfigFactory.parseResources(
            ConfigurationSources.class.getClassLoader(), "reference.conf")
        .withOnlyPath("tenure")
        .resolve(ConfigResolveOptions.defaults().setUseSystemEnvironment(false));
  }

  /** The file with its substitutions resolved: from itself, the defaults and the environment. */
  Config fileSettings(Config defaults) {
    if (file.isEmpty()) return ConfigFactory.empty();
    Path path = file.get();
    if (!Files.isRegularFile(path)) {
      throw new ConfigurationError(List.of("the configuration file " + path + " does not exist"));
    }
    try {
      Config environmentAsConfig =
          ConfigValueFactory.fromMap(environment, "the environment").toConfig();
      Config parsed =
          ConfigFactory.parseFile(
              path.toFile(), ConfigParseOptions.defaults().setAllowMissing(false));
      return parsed.resolveWith(
          parsed.withFallback(defaults).withFallback(environmentAsConfig),
          ConfigResolveOptions.defaults().setUseSystemEnvironment(false));
    } catch (ConfigException e) {
      throw new ConfigurationError(
          List.of("the configuration file " + path + " cannot be read: " + e.getMessage()));
    }
  }
}
