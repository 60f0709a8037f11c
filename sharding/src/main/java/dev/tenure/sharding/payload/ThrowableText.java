package dev.tenure.sharding.payload;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What an exception says of itself. Its methods may be the application's own code and fail in turn.
 * Then its class has to do: how an attempt came out is told in any case.
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
      return false; // said in the message that stands for it
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

  /** Empty also when it cannot say what it is. */
  public static Optional<Throwable> cause(Throwable thrown) {
    try {
      return Optional.ofNullable(thrown.getCause());
    } catch (Throwable own) {
      return Optional.empty(); // its stack says so, which asks for the cause, too
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
