package dev.tenure.node.dev;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.tenure.node.config.ConfigurationSources;
import dev.tenure.node.config.Endpoint;
import dev.tenure.node.config.NodeConfig;
import dev.tenure.node.lifetime.Ports;
import dev.tenure.persistence.embedded.LocalPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The settings of a development node: those of any node, on the PostgreSQL beside it. When a
 * default port is taken, a free one is used instead.
 */
public final class DevSettings {
  private static final String NODE_PORT = "tenure.node.port";
  private static final String HTTP_PORT = "tenure.http.port";
  private static final String HTTP_ACCESS = "tenure.http.access";

  private final Map<String, Object> fixed;
  private final Map<String, String> environment;
  private final List<String> remarks;

  private DevSettings(
      Map<String, Object> fixed, Map<String, String> environment, List<String> remarks) {
    this.fixed = fixed;
    this.environment = environment;
    this.remarks = remarks;
  }

  /** Checks what was given and chooses the ports, before anything is started. */
  public static DevSettings of(
      OptionalInt port, OptionalInt httpPort, Path folder, Map<String, String> environment) {
    Map<String, Object> fixed = new HashMap<>();
    // This node uses the database beside it, even if the shell's variables name another one.
    fixed.put("tenure.storage.user", LocalPostgres.APPLICATION);
    fixed.put("tenure.storage.migration-user", LocalPostgres.OWNER);
    for (String key : List.of("password", "password-file")) {
      fixed.put("tenure.storage." + key, null);
      fixed.put("tenure.storage.migration-" + key, null);
    }
    // It listens on this machine only, and needs no credential, unless the settings say otherwise.
    if (environment.getOrDefault(ConfigurationSources.variableOf(HTTP_ACCESS), "").isBlank()) {
      fixed.put(HTTP_ACCESS, "open");
    }
    port.ifPresent(number -> fixed.put(NODE_PORT, number));
    httpPort.ifPresent(number -> fixed.put(HTTP_PORT, number));
    DevSettings settings = new DevSettings(fixed, environment, new ArrayList<>());
    NodeConfig wanted = settings.load("jdbc:postgresql://127.0.0.1/" + LocalPostgres.DATABASE);
    Endpoint node = new Endpoint(wanted.bindHost(), wanted.node().port());
    if (settings.isGiven(NODE_PORT)) Ports.requireFree("tenure.node", node);
    else settings.choose(NODE_PORT, remembered(folder, node), folder);
    if (settings.isGiven(HTTP_PORT)) Ports.requireFree("tenure.http", wanted.http());
    else settings.choose(HTTP_PORT, wanted.http(), folder);
    return settings;
  }

  private boolean isGiven(String key) {
    return fixed.containsKey(key)
        || !environment.getOrDefault(ConfigurationSources.variableOf(key), "").isBlank();
  }

  private void choose(String key, Endpoint preferred, Path folder) {
    int free = Ports.freeLike(preferred);
    if (free != preferred.port()) {
      remarks.add("%s: port %d is taken, using %d".formatted(key, preferred.port(), free));
    }
    fixed.put(key, free);
    if (key.equals(NODE_PORT)) remember(folder, free);
  }

  // A node that comes back at its address takes its own place again; at another one it would first
  // have to wait until its predecessor has been silent for long enough.
  private static Endpoint remembered(Path folder, Endpoint preferred) {
    Path file = folder.resolve("node-port");
    try {
      if (!Files.exists(file)) return preferred;
      return new Endpoint(preferred.host(), Integer.parseInt(Files.readString(file).strip()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NumberFormatException e) {
      return preferred; // cut short by a full disk or edited by hand: only a preference is lost
    }
  }

  private static void remember(Path folder, int port) {
    try {
      Files.writeString(folder.resolve("node-port"), Integer.toString(port));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What was decided otherwise than by default, for people. */
  public List<String> remarks() {
    return List.copyOf(remarks);
  }

  /** The configuration of a node on this server. */
  public NodeConfig on(LocalPostgres postgres) {
    return load(postgres.url());
  }

  private NodeConfig load(String url) {
    Map<String, Object> all = new HashMap<>(fixed);
    all.put("tenure.storage.url", url);
    Config overrides = ConfigFactory.parseMap(all, "./tenure dev");
    return NodeConfig.load(
        ConfigurationSources.ofEnvironment(environment).withOverrides(overrides));
  }
}
