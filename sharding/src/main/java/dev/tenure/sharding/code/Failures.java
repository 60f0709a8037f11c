package dev.tenure.sharding.code;

import dev.tenure.workflow.ActivityFailedException;
import dev.tenure.workflow.ChildFailedException;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.LimitExceededException;
import dev.tenure.workflow.StepFailedException;
import dev.tenure.workflow.UndeliverableException;
import dev.tenure.workflow.WorkflowFailure;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.util.Optional;

/** Exceptions as data, and data as exceptions again. */
final class Failures {
  private Failures() {}

  static Failure of(Throwable thrown) {
    return of(thrown, 0);
  }

  private static Failure of(Throwable thrown, int depth) {
    Optional<Failure> recorded = recordedIn(thrown);
    // What could not be made an exception of its own again still is what it was.
    if (thrown instanceof StepFailedException && recorded.isPresent()) return recorded.get();
    Optional<Failure> cause =
        recorded.isPresent()
            ? recorded
            : thrown.getCause() == null || depth >= Failure.CAUSES_MAX
                ? Optional.empty()
                : Optional.of(of(thrown.getCause(), depth + 1));
    Optional<String> code = thrown instanceof WorkflowFailure said ? said.code() : Optional.empty();
    String type =
        thrown instanceof LimitExceededException ? Failure.TOO_LARGE : thrown.getClass().getName();
    return new Failure(
        type, thrown.getMessage(), code, isRetryable(thrown), stack(thrown, depth), cause);
  }

  private static Optional<Failure> recordedIn(Throwable thrown) {
    return switch (thrown) {
      case StepFailedException e -> Optional.ofNullable(e.failure());
      case ActivityFailedException e -> Optional.ofNullable(e.failure());
      case ChildFailedException e -> Optional.ofNullable(e.failure());
      case UndeliverableException e -> Optional.ofNullable(e.failure());
      default -> Optional.empty();
    };
  }

  private static boolean isRetryable(Throwable thrown) {
    return switch (thrown) {
      case WorkflowFailure said -> said.isRetryable();
      // The same value is as large, and as odd, the next time.
      case LimitExceededException e -> false;
      case PayloadConversionException e -> false;
      default -> true;
    };
  }

  private static String stack(Throwable thrown, int depth) {
    // Printing the outermost prints its causes too.
    if (depth > 0) return "";
    StringWriter text = new StringWriter();
    thrown.printStackTrace(new PrintWriter(text));
    return text.toString();
  }

  /** The exception that was recorded, of its own class if that can be made. */
  static Throwable toThrowable(Failure failure, String what, ClassLoader loader) {
    StepFailedException recorded = new StepFailedException(what, failure);
    if (failure.type().equals(Failure.TOO_LARGE)) return recorded;
    if (failure.type().equals(WorkflowFailure.class.getName()))
      return failure.retryable()
          ? WorkflowFailure.retryable(failure.code().orElse(null), failure.message())
          : WorkflowFailure.permanent(failure.code().orElse(null), failure.message(), recorded);
    try {
      Class<?> type = Class.forName(failure.type(), true, loader);
      if (Throwable.class.isAssignableFrom(type)) {
        Throwable made = make(type.asSubclass(Throwable.class), failure.message());
        if (made != null) return withCause(made, recorded);
      }
    } catch (ClassNotFoundException | LinkageError e) {
      recorded.addSuppressed(e);
    }
    return recorded;
  }

  private static Throwable withCause(Throwable made, StepFailedException recorded) {
    // Where it was thrown is not where it is made now: the record has the true place.
    made.setStackTrace(new StackTraceElement[0]);
    try {
      return made.getCause() == null ? made.initCause(recorded) : made;
    } catch (IllegalStateException e) {
      made.addSuppressed(recorded);
      return made;
    }
  }

  private static Throwable make(Class<? extends Throwable> type, String message) {
    Throwable made = construct(type, new Class<?>[] {String.class}, message);
    if (made == null)
      made = construct(type, new Class<?>[] {String.class, Throwable.class}, message, null);
    if (made == null) made = construct(type, new Class<?>[] {});
    return made;
  }

  private static Throwable construct(
      Class<? extends Throwable> type, Class<?>[] parameters, Object... arguments) {
    try {
      var constructor = type.getDeclaredConstructor(parameters);
      if (!constructor.trySetAccessible()) return null;
      return constructor.newInstance(arguments);
    } catch (NoSuchMethodException
        | InstantiationException
        | IllegalAccessException
        | InvocationTargetException e) {
      return null; // the next way to make one is tried, and the record stands in the end
    }
  }
}
