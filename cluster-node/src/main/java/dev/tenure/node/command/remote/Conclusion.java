package dev.tenure.node.command.remote;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tenure.client.StatedFailure;
import java.util.Optional;
import picocli.CommandLine.Option;

/** How an activity came out, as an operator says it: a result or a failure. */
final class Conclusion {
  @Option(
      names = "--result",
      paramLabel = "JSON",
      converter = Value.class,
      description = "It took effect, with this result: JSON, or @FILE; null is none.")
  private JsonNode result;

  @Option(
      names = "--failure",
      paramLabel = "TYPE",
      description = "It failed; the code sees a failure of this type.")
  private Optional<String> failure = Optional.empty();

  @Option(names = "--message", paramLabel = "TEXT", description = "Of the failure.")
  private Optional<String> message = Optional.empty();

  @Option(names = "--code", paramLabel = "WORD", description = "Of the failure, for machines.")
  private Optional<String> code = Optional.empty();

  boolean isGiven() {
    return result != null || failure.isPresent() || message.isPresent() || code.isPresent();
  }

  boolean isResult() {
    return result != null && failure.isEmpty() && message.isEmpty() && code.isEmpty();
  }

  boolean isFailure() {
    return result == null && failure.isPresent();
  }

  /** When {@link #isResult}. */
  JsonNode result() {
    return result;
  }

  /** When {@link #isFailure}. */
  StatedFailure failure() {
    return new StatedFailure(failure.orElseThrow(), message.orElse(""), code);
  }
}
