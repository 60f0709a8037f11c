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

  @Option(
      names = "--no-effect",
      description = "It took no effect, as you know: a saga does not undo it.")
  private boolean noEffect;

  boolean isGiven() {
    return result != null || saysFailure();
  }

  private boolean saysFailure() {
    return failure.isPresent() || message.isPresent() || code.isPresent() || noEffect;
  }

  boolean isResult() {
    return result != null && !saysFailure();
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
    StatedFailure stated = StatedFailure.of(failure.orElseThrow(), message.orElse(""));
    StatedFailure coded = code.map(stated::code).orElse(stated);
    return noEffect ? coded.withoutEffect() : coded;
  }
}
