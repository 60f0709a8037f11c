package dev.tenure.client.worker;

import dev.tenure.client.TaskReport;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Exceptions of activities as the server is told of them. */
final class Failures {
  /** An input that this worker cannot read: its code was not reached. */
  static final String UNREADABLE_INPUT = "UnreadableInput";

  private static final int TYPE_CHARS_MAX = 120;
  private static final int CHARS_MAX = 4_000;

  private Failures() {}

  static TaskReport of(String token, Throwable thrown) {
    return switch (thrown) {
      case ActivityFailure failure ->
          new TaskReport.Failed(
              token,
              cut(failure.type(), TYPE_CHARS_MAX),
              message(failure),
              failure.code().map(code -> cut(code, TYPE_CHARS_MAX)),
              stack(failure),
              failure.isRetryable(),
              failure.hadNoEffect());
      case NoEffectException failure -> of(token, failure, true);
      default -> of(token, thrown, false);
    };
  }

  private static TaskReport of(String token, Throwable thrown, boolean noEffect) {
    return new TaskReport.Failed(
        token,
        cut(thrown.getClass().getName(), TYPE_CHARS_MAX),
        message(thrown),
        Optional.empty(),
        stack(thrown),
        true,
        noEffect);
  }

  static TaskReport unreadable(String token, RuntimeException why) {
    return new TaskReport.Failed(
        token, UNREADABLE_INPUT, message(why), Optional.empty(), "", false, true);
  }

  private static String message(Throwable thrown) {
    return cut(thrown.getMessage() == null ? thrown.toString() : thrown.getMessage());
  }

  private static String stack(Throwable thrown) {
    StringWriter text = new StringWriter();
    thrown.printStackTrace(new PrintWriter(text));
    return cut(text.toString());
  }

  static String cut(String text) {
    return cut(text, CHARS_MAX);
  }

  /** Half a character, which an exception may have in its message, is no JSON. */
  private static String cut(String text, int charsMax) {
    String some = text.length() <= charsMax ? text : text.substring(0, charsMax - 1) + "…";
    return new String(some.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }
}
