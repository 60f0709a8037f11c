package dev.tenure.sharding.payload;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Text about an exception. Its methods may be the application's own code and may throw. Then its
 * class name is used, so that the outcome of an attempt is reported in any case.
 */
public final class ThrowableText {
  private ThrowableText() {}

  /** Null when it has none. */
  static String message(Throwable thrown) {
    try {
      return thrown.getMessage();
    } catch (Throwable own) {
      return failed("getMessage()", own);
    }
  }

  /** Whether it can say its message. */
  static boolean hasReadableMessage(Throwable thrown) {
    try {
      thrown.getMessage();
      return true;
    } catch (Throwable own) {
      return false; // the substitute message says so
    }
  }

  /** Its class and message in one line, as {@code toString} writes it. */
  public static String line(Throwable thrown) {
    return text(thrown::toString, thrown, "toString()");
  }

  /** With its causes: those do not need one of their own. */
  static String stack(Throwable thrown) {
    return text(
        () -> {
          StringWriter text = new StringWriter();
          thrown.printStackTrace(new PrintWriter(text));
          return text.toString();
        },
        thrown,
        "printStackTrace()");
  }

  /** Its cause; empty also when its method fails. */
  public static Optional<Throwable> cause(Throwable thrown) {
    try {
      return Optional.ofNullable(thrown.getCause());
    } catch (Throwable own) {
      return Optional.empty(); // its stack text says so, because that asks for the cause, too
    }
  }

  private static String text(Supplier<String> said, Throwable thrown, String method) {
    try {
      return String.valueOf(said.get());
    } catch (Throwable own) {
      return thrown.getClass().getName() + ": " + failed(method, own);
    }
  }

  private static String failed(String method, Throwable own) {
    return "(its %s threw %s)".formatted(method, own.getClass().getName());
  }
}
