package dev.tenure.node.command.store;

import dev.tenure.node.config.ConfigurationError;
import dev.tenure.node.config.ConfigurationSources;
import dev.tenure.node.config.NodeConfig;
import dev.tenure.persistence.embedded.LocalPostgres;
import dev.tenure.persistence.postgres.PostgresSettings;
import dev.tenure.persistence.postgres.PostgresStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/**
 * Which database is meant: that of a node's configuration, or that of a running development node.
 */
final class StoreAccess {
  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "Settings of a node in HOCON; TENURE_… variables win over it (docs/configuration.md).")
  private Optional<Path> file = Optional.empty();

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "The folder of a ./tenure dev that runs.")
  private Optional<Path> data = Optional.empty();

  /** A storage for reading. The schema is this engine's. */
  PostgresStorage open() {
    PostgresStorage storage = PostgresStorage.open(settings());
    try {
      storage.requireSchema();
      return storage;
    } catch (RuntimeException e) {
      storage.close();
      throw e;
    }
  }

  private PostgresSettings settings() {
    if (data.isPresent()) return ofDevelopment(data.get());
    ConfigurationSources environment = ConfigurationSources.ofEnvironment(System.getenv());
    return NodeConfig.load(file.map(environment::withFile).orElse(environment)).database();
  }

  private static PostgresSettings ofDevelopment(Path data) {
    Path port = data.resolve("postgres").resolve("port");
    try {
      String number = Files.readString(port).strip();
      return PostgresSettings.of(
          "jdbc:postgresql://127.0.0.1:%s/%s".formatted(number, LocalPostgres.DATABASE),
          LocalPostgres.APPLICATION,
          "");
    } catch (IOException e) {
      throw new ConfigurationError(
          List.of(
              "%s is not the folder of a development node: there is no %s".formatted(data, port)));
    }
  }
}
