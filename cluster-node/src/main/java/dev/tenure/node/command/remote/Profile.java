package dev.tenure.node.command.remote;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Where a server is and how to get in, under a name in a file. The file names the files with
 * credentials, and holds none.
 */
record Profile(
    Optional<String> url, Optional<Path> credentialFile, Optional<Path> caFile, boolean plainHttp) {
  static final String DEFAULT_URL = "http://127.0.0.1:7300";
  static final Profile NONE =
      new Profile(Optional.empty(), Optional.empty(), Optional.empty(), false);

  private static final String WHICH = "default-profile";
  private static final List<String> KEYS =
      List.of("url", "credential-file", "ca-file", "credentials-over-plain-http");

  /** Where profiles are: {@code $XDG_CONFIG_HOME/tenure/config}, or below {@code ~/.config}. */
  static Path file(Map<String, String> environment) {
    String given = environment.getOrDefault("TENURE_CONFIG", "");
    if (!given.isBlank()) return Path.of(given);
    String base = environment.getOrDefault("XDG_CONFIG_HOME", "");
    Path folder =
        base.isBlank()
            ? Path.of(environment.getOrDefault("HOME", System.getProperty("user.home")), ".config")
            : Path.of(base);
    return folder.resolve("tenure").resolve("config");
  }

  /**
   * @param name the one wanted; when empty, the file's default, or none
   */
  static Profile read(Path file, Optional<String> name) {
    if (!Files.isRegularFile(file)) {
      if (name.isEmpty()) return NONE;
      throw new CommandError(
          "there is no profile \"%s\": the file %s does not exist".formatted(name.get(), file));
    }
    try {
      Config all = ConfigFactory.parseFile(file.toFile()).resolve();
      onlyKnown(file, "", all, List.of(WHICH, "profiles"));
      Config profiles = all.hasPath("profiles") ? all.getConfig("profiles") : ConfigFactory.empty();
      Optional<String> wanted =
          name.or(() -> all.hasPath(WHICH) ? Optional.of(all.getString(WHICH)) : Optional.empty());
      return wanted.map(one -> of(file, one, profiles)).orElse(NONE);
    } catch (ConfigException e) {
      throw new CommandError("%s cannot be read: %s".formatted(file, e.getMessage()));
    }
  }

  private static Profile of(Path file, String name, Config profiles) {
    if (!profiles.root().containsKey(name)) {
      throw new CommandError(
          "there is no profile \"%s\" in %s; there are %s"
              .formatted(name, file, new TreeSet<>(profiles.root().keySet())));
    }
    Config one = profiles.atKey("p").getConfig("p.\"" + name + "\"");
    onlyKnown(file, "of profile \"" + name + "\" ", one, KEYS);
    return new Profile(
        text(one, "url"),
        text(one, "credential-file").map(path -> file.resolveSibling(path)),
        text(one, "ca-file").map(path -> file.resolveSibling(path)),
        one.hasPath("credentials-over-plain-http")
            && one.getBoolean("credentials-over-plain-http"));
  }

  private static void onlyKnown(Path file, String where, Config given, List<String> known) {
    for (String key : new TreeSet<>(given.root().keySet())) {
      if (known.contains(key)) continue;
      throw new CommandError(
          "%s: the key \"%s\" %sis not known; there are %s".formatted(file, key, where, known));
    }
  }

  private static Optional<String> text(Config one, String key) {
    return one.hasPath(key) ? Optional.of(one.getString(key)) : Optional.empty();
  }
}
