package dev.tenure.node.command.remote;

import dev.tenure.client.AttemptRef;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Which attempt at an operation an operator means. */
final class Meant {
  @Option(
      names = "--run",
      paramLabel = "RUN",
      description = "The run that is meant (default: the newest).")
  private Optional<String> run = Optional.empty();

  @Option(
      names = "--attempt",
      paramLabel = "N",
      description =
          "The attempt that is meant, as workflow describe shows it; nothing is done when another"
              + " one stands there (default: the one that does).")
  private Optional<Integer> attempt = Optional.empty();

  AttemptRef at(String operation) {
    return new AttemptRef(operation, run, attempt);
  }
}
