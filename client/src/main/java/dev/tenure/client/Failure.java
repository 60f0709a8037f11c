package dev.tenure.client;

import java.util.Optional;

/**
 * What went wrong in a workflow's code.
 *
 * @param type a class name, or one of the engine's own words
 * @param code a word for machines, when the code gave one
 * @param retryable whether another attempt could help
 */
public record Failure(
    String type,
    String message,
    Optional<String> code,
    boolean retryable,
    Optional<Failure> cause) {
  static Failure of(Answer answer) {
    return new Failure(
        answer.text("type"),
        answer.text("message"),
        answer.optionalText("code"),
        answer.flag("retryable"),
        answer.failure("cause"));
  }

  @Override
  public String toString() {
    return type + code.map(word -> " [" + word + "]").orElse("") + ": " + message;
  }
}
