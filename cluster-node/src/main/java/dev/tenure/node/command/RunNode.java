package dev.tenure.node.command;

import dev.tenure.node.NodeBuilder;
import dev.tenure.node.TenureNode;
import dev.tenure.node.command.remote.ListNodes;
import dev.tenure.node.config.ConfigurationSources;
import dev.tenure.node.config.NodeConfig;
import dev.tenure.node.lifetime.Lifetime;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./tenure node}: a node on the database that the configuration names. */
@Command(
    name = "node",
    mixinStandardHelpOptions = true,
    subcommands = ListNodes.class,
    description = {
      "A node with the configuration of a file, the environment, or both.",
      "It runs the workflows that the JARs in TENURE_CLASSPATH bring."
    })
public final class RunNode implements Callable<Integer> {
  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Settings in HOCON; TENURE_… variables win over it (docs/configuration.md).")
  private Path file;

  @Override
  public Integer call() {
    ConfigurationSources environment = ConfigurationSources.ofEnvironment(System.getenv());
    NodeConfig config = NodeConfig.load(file == null ? environment : environment.withFile(file));
    NodeBuilder builder = TenureNode.builder().modulesOnClassPath();
    Lifetime lifetime = new Lifetime();
    lifetime.stopOnSignal();
    return RunningNode.start(lifetime, builder.config(config)).untilItEnds();
  }
}
