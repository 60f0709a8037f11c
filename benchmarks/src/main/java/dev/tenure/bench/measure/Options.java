package dev.tenure.bench.measure;

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
      description = "seconds per path before measuring (default ${DEFAULT-VALUE})")
  public int warmupSeconds;

  @Option(names = "--json", description = "one JSON object per line")
  public boolean json;

  @Option(
      names = "--data",
      defaultValue = ".tenure/bench",
      description = "folder for the database, emptied first (default ${DEFAULT-VALUE})")
  public Path data;
}
