package dev.tenure.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Optional;

/** What a worker says of one task. Values are made by {@link TaskClient#value}. */
public sealed interface TaskReport {
  /** The token that the task came with. */
  String token();

  /**
   * The worker is alive.
   *
   * @param details what the next delivery gets when this one is lost
   */
  record Alive(String token, Optional<JsonNode> details) implements TaskReport {}

  /**
   * The worker is alive, and silent for longer than usual.
   *
   * @param silence for how long from now on
   */
  record Extended(String token, Duration silence) implements TaskReport {}

  /** It is done. */
  record Done(String token, JsonNode result) implements TaskReport {}

  /**
   * It failed.
   *
   * @param type what kind of failure, which a retry policy may know
   * @param stack where it happened, for people; may be empty
   * @param retryable whether another attempt could help
   * @param noEffect whether it is certain that nothing was done outside
   */
  record Failed(
      String token,
      String type,
      String message,
      Optional<String> code,
      String stack,
      boolean retryable,
      boolean noEffect)
      implements TaskReport {}

  /** The worker has not begun it, and gives it back. */
  record Returned(String token) implements TaskReport {}
}
