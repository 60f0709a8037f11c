package dev.tenure.sharding.payload;

import dev.tenure.workflow.ActivityFailedException;
import dev.tenure.workflow.ChildFailedException;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.LimitExceededException;
import dev.tenure.workflow.StepFailedException;
import dev.tenure.workflow.UndeliverableException;
import dev.tenure.workflow.WorkflowException;
import dev.tenure.workflow.WorkflowFailure;
import java.util.Optional;

/** Exceptions as data, and data as exceptions again. */
public final class Failures {
  private Failures() {}

  public static Failure of(Throwable thrown) {
    return of(thrown, 0);
  }

  /**
   * As {@link #of(Throwable)}, for code that has that loader: says whether an exception of its own
   * class, with its message and all that it knows, can be made again of what is recorded.
   */
  public static Failure of(Throwable thrown, ClassLoader loader) {
    Failure failure = of(thrown);
    return failure.form() == Failure.Form.RECORD && isFaithful(thrown, failure, loader)
        ? failure.as(Failure.Form.EXCEPTION)
        : failure;
  }

  private static boolean isFaithful(Throwable thrown, Failure failure, ClassLoader loader) {
    if (thrown instanceof WorkflowFailure) return true;
    // An exception class of the engine has a meaning for the engine that a step's exception lacks.
    if (thrown instanceof WorkflowException) return false;
    if (!ThrowableText.hasReadableMessage(thrown)) return false;
    try {
      Optional<Throwable> made = make(failure, new StepFailedException("a trial", failure), loader);
      return made.isPresent()
          && made.get().getClass() == thrown.getClass()
          && ExceptionState.isSame(thrown, made.get());
    } catch (RuntimeException | LinkageError | StackOverflowError e) {
      return false; // code of the exception itself fails on the copy
    }
  }

  private static Failure of(Throwable thrown, int depth) {
    Optional<Failure> recorded = recordedIn(thrown);
    // The class could not be made again, so the recorded failure is passed on unchanged.
    if (thrown instanceof StepFailedException && recorded.isPresent()) return recorded.get();
    Optional<Failure> cause =
        recorded.isPresent()
            ? recorded
            : depth >= Failure.CAUSES_MAX
                ? Optional.empty()
                : ThrowableText.cause(thrown).map(next -> of(next, depth + 1));
    Optional<String> code = thrown instanceof WorkflowFailure said ? said.code() : Optional.empty();
    String type =
        thrown instanceof LimitExceededException ? Failure.TOO_LARGE : thrown.getClass().getName();
    return new Failure(
        type,
        ThrowableText.message(thrown),
        code,
        isRetryable(thrown),
        depth > 0 ? "" : ThrowableText.stack(thrown),
        cause,
        isDefect(thrown) ? Failure.Form.DEFECT : Failure.Form.RECORD,
        thrown instanceof WorkflowFailure said ? said.outside() : Failure.OutsideEffect.POSSIBLE);
  }

  /** Whether no code can handle it: an error of the JVM, or a value that cannot be kept. */
  private static boolean isDefect(Throwable thrown) {
    return thrown instanceof Error || thrown instanceof PayloadConversionException;
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
      // A retry would meet the same value and fail the same way.
      case LimitExceededException e -> false;
      case PayloadConversionException e -> false;
      default -> true;
    };
  }

  /** The exception that was recorded, of its own class if that can be made. */
  static Throwable toThrowable(Failure failure, String what, ClassLoader loader) {
    StepFailedException recorded = new StepFailedException(what, failure);
    if (failure.form() != Failure.Form.EXCEPTION) return recorded;
    return make(failure, recorded, loader).orElse(recorded);
  }

  /** As {@link #toThrowable}, for code that counts on the class it got in its first run. */
  public static Throwable asRecorded(Failure failure, String what, ClassLoader loader) {
    StepFailedException recorded = new StepFailedException(what, failure);
    if (failure.form() != Failure.Form.EXCEPTION) return recorded;
    return make(failure, recorded, loader)
        .orElseThrow(
            () ->
                CodeFault.unreadable(
                    new PayloadConversionException(
                        "%s failed with %s, and no such exception can be made."
                            .formatted(what, failure))));
  }

  private static Optional<Throwable> make(
      Failure failure, StepFailedException recorded, ClassLoader loader) {
    if (failure.type().equals(WorkflowFailure.class.getName())) {
      WorkflowFailure made =
          failure.retryable()
              ? WorkflowFailure.retryable(failure.code().orElse(null), failure.message())
              : WorkflowFailure.permanent(failure.code().orElse(null), failure.message(), recorded);
      return Optional.of(
          failure.outside() == Failure.OutsideEffect.NONE ? made.withoutEffect() : made);
    }
    try {
      Class<?> type = Class.forName(failure.type(), true, loader);
      if (!Exception.class.isAssignableFrom(type)) return Optional.empty();
      return make(type.asSubclass(Exception.class), failure.message(), recorded);
    } catch (ClassNotFoundException | LinkageError e) {
      return Optional.empty();
    }
  }

  private static Optional<Throwable> make(
      Class<? extends Exception> type, String recordedMessage, StepFailedException recorded) {
    String message = recordedMessage.isEmpty() ? null : recordedMessage;
    Class<?>[] withCause = {String.class, Throwable.class};
    return construct(type, recordedMessage, recorded, withCause, message, recorded)
        .or(
            () ->
                construct(type, recordedMessage, recorded, new Class<?>[] {String.class}, message))
        .or(() -> construct(type, recordedMessage, recorded, new Class<?>[] {}));
  }

  /** Empty when there is no such constructor, or it makes of the message something else. */
  private static Optional<Throwable> construct(
      Class<? extends Exception> type,
      String message,
      StepFailedException recorded,
      Class<?>[] parameters,
      Object... arguments) {
    try {
      var constructor = type.getDeclaredConstructor(parameters);
      if (!constructor.trySetAccessible()) return Optional.empty();
      Throwable made = constructor.newInstance(arguments);
      if (!Failure.cut(ThrowableText.message(made), Failure.MESSAGE_CHARS_MAX).equals(message))
        return Optional.empty();
      if (made.getCause() == null) made.initCause(recorded);
      // The cause marks it as the failure of an operation; without that it would count as a bug.
      if (made.getCause() != recorded) return Optional.empty();
      // Where it was thrown is not where it is made now: the record has the true place.
      made.setStackTrace(new StackTraceElement[0]);
      return Optional.of(made);
    } catch (ReflectiveOperationException | RuntimeException e) {
      return Optional
          .empty(); // the caller tries the next constructor, and at last uses the record itself
    }
  }
}
