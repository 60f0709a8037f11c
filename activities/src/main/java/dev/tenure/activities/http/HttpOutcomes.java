package dev.tenure.activities.http;

import dev.tenure.workflow.WorkflowFailure;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/**
 * What the status of an answer means for the engine.
 *
 * <pre>
 * status              failure     effect    code
 * 2xx                 none
 * 408                 retryable   possible  http.408
 * 425, 429            retryable   none      http.425, http.429
 * 409                 permanent   possible  http.409
 * any other 4xx       permanent   none      http.4xx
 * 5xx                 retryable   possible  http.5xx
 * 3xx                 permanent   possible  http.3xx
 * </pre>
 *
 * A 409 may mean that the request of an earlier attempt is at work, or has done what this one asks
 * for. A 408 may come from a gateway whose server is still at work.
 */
final class HttpOutcomes {
  /** The call is malformed, or its target must not be connected to. */
  static final String REFUSED = "http.refused";

  /** The answer came, and no result can be made of it. */
  static final String UNREADABLE = "http.unreadable";

  private static final int REQUEST_TIMEOUT = 408;
  private static final int CONFLICT = 409;
  private static final int TOO_EARLY = 425;
  private static final int TOO_MANY = 429;

  /** Longer than any server means. */
  private static final Duration WAIT_MAX = Duration.ofDays(30);

  private HttpOutcomes() {}

  /** The answer, or what is thrown instead. */
  static HttpAnswer answer(Reply reply, HttpSettings settings) {
    if (!reply.isSuccess()) throw failure(reply, settings.clock());
    try {
      return reply.answer(settings.kept());
    } catch (Reply.NoTextException e) {
      throw unreadable(reply, e.getMessage());
    }
  }

  static WorkflowFailure unreadable(Reply reply, String why) {
    return WorkflowFailure.permanent(
        UNREADABLE, "%s, and no result can be made of it: %s.".formatted(reply, why));
  }

  private static WorkflowFailure failure(Reply reply, InstantSource clock) {
    String code = "http." + reply.status();
    String message = reply + details(reply, clock);
    return switch (reply.status()) {
      case REQUEST_TIMEOUT -> WorkflowFailure.retryable(code, message);
      case CONFLICT -> WorkflowFailure.permanent(code, message);
      case TOO_EARLY, TOO_MANY -> WorkflowFailure.retryable(code, message).withoutEffect();
      default ->
          switch (reply.status() / 100) {
            case 4 -> WorkflowFailure.permanent(code, message).withoutEffect();
            case 3 -> WorkflowFailure.permanent(code, message);
            default -> WorkflowFailure.retryable(code, message);
          };
    };
  }

  private static String details(Reply reply, InstantSource clock) {
    String wait =
        retryAfter(reply, clock)
            .map(span -> ", with Retry-After: %d seconds".formatted(span.toSeconds()))
            .orElse("");
    return wait + reply.excerpt().map(text -> ": " + text).orElse("");
  }

  /** In seconds, or until a time. */
  static Optional<Duration> retryAfter(Reply reply, InstantSource clock) {
    return reply
        .headers()
        .firstValue("Retry-After")
        .flatMap(
            value ->
                value.matches("[0-9]{1,9}")
                    ? Optional.of(Duration.ofSeconds(Long.parseLong(value)))
                    : until(value, clock.instant()))
        .filter(span -> !span.isNegative() && span.compareTo(WAIT_MAX) <= 0);
  }

  private static Optional<Duration> until(String date, Instant now) {
    try {
      ZonedDateTime then = ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME);
      return Optional.of(Duration.between(now, then.toInstant()));
    } catch (DateTimeException e) {
      return Optional.empty(); // no date at all: the backoff of the retry policy has to do
    }
  }
}
