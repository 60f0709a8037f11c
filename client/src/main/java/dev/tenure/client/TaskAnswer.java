package dev.tenure.client;

import java.time.Instant;
import java.util.Optional;

/**
 * What the server says of a report on a task.
 *
 * @param accepted whether it changed something, now or when it was sent for the first time
 * @param visibleUntil until when the worker has the task, by the server's clock
 * @param code why it was not accepted: {@code TaskGone}, {@code TaskClaimExpired}, {@code
 *     TaskEnded} or {@code TaskTokenInvalid}
 * @param detail the same for people
 */
public record TaskAnswer(
    boolean accepted, Optional<Instant> visibleUntil, Optional<String> code, String detail) {
  static TaskAnswer of(Answer answer) {
    Optional<Answer> error = answer.optional("error").map(Answer::new);
    return new TaskAnswer(
        answer.flag("accepted"),
        answer.optionalTime("visibleUntil"),
        error.map(why -> why.text("code")),
        error.map(why -> why.text("detail")).orElse(""));
  }
}
