package dev.tenure.bench.measure;

import dev.tenure.persistence.merging.PipelineSettings;
import dev.tenure.persistence.postgres.PostgresSettings;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** What every benchmark can be told. */
public final class Options {
  @Option(
      names = "--seconds",
      defaultValue = "10",
      description = "seconds per measured path (default ${DEFAULT-VALUE})")
  public int seconds;

  @Option(
      names = "--warmup-seconds",
      defaultValue = "4",
      description = "seconds per path before measuring, at least (default ${DEFAULT-VALUE})")
  public int warmupSeconds;

  @Option(
      names = "--warmup-max-seconds",
      defaultValue = "60",
      description =
          "seconds per path after which it is measured although it still becomes faster"
              + " (default ${DEFAULT-VALUE})")
  public int warmupMaxSeconds;

  @Option(
      names = "--connections",
      defaultValue = "2",
      description = "commit transactions at once, as tenure.commit.connections of a node")
  public int connections;

  @Option(
      names = "--spread-above",
      defaultValue = "100",
      description =
          "commits that wait before all connections are used, as tenure.commit.spread-above")
  public int spreadAbove;

  @Option(names = "--json", description = "one JSON object per line")
  public boolean json;

  @Option(
      names = "--data",
      defaultValue = ".tenure/bench",
      description = "folder for the database, emptied first (default ${DEFAULT-VALUE})")
  public Path data;

  /** How commits are merged. */
  public PipelineSettings pipeline() {
    PipelineSettings usual = PipelineSettings.DEFAULT;
    return new PipelineSettings(
        connections,
        usual.batchLimit(),
        usual.batchBytesLimit(),
        usual.queueLimit(),
        usual.resolveLimit(),
        spreadAbove);
  }

  /** As many connections for commits as there are transactions of them, and the usual others. */
  public PostgresSettings database(PostgresSettings usual) {
    return usual
        .withPoolSize(usual.poolSize() - usual.commitConnections() + connections)
        .withCommitConnections(connections);
  }
}
