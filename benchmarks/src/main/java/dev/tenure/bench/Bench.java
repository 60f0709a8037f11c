package dev.tenure.bench;

import dev.tenure.bench.commits.ActivationsBench;
import dev.tenure.bench.commits.CommitsBench;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code ./tenure bench …}: each benchmark measures its baseline in the same run. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    subcommands = {CommitsBench.class, ActivationsBench.class},
    description = "Measures against a durable PostgreSQL on this machine, baseline and all.")
public final class Bench {
  private Bench() {}

  public static void main(String[] args) {
    System.exit(new CommandLine(new Bench()).execute(args));
  }
}
