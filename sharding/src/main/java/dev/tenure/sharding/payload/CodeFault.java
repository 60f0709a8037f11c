package dev.tenure.sharding.payload;

import dev.tenure.sharding.program.ProgramFault;

/** Why a run of the code stops where it is. The code cannot handle this by itself. */
public final class CodeFault extends ProgramFault {
  private static final long serialVersionUID = 1L;

  /** A record cannot be read as the value, or the exception, that the code wants. */
  public static final String UNREADABLE_VALUE = "unreadable-value";

  /** The code could not be linked, or the JVM could not run it. */
  public static final String BROKEN_CODE = "broken-code";

  private CodeFault(String kind, String message, Throwable cause) {
    super(kind, message, cause);
  }

  public static CodeFault bug(Throwable thrown) {
    return new CodeFault(
        BUG,
        "The workflow's code threw %s. Deploy code that does not, then resolve: the run goes on from its last record.%n%s"
            .formatted(ThrowableText.line(thrown), ThrowableText.stack(thrown)),
        thrown);
  }

  public static CodeFault unreadable(PayloadConversionException unread) {
    return new CodeFault(
        UNREADABLE_VALUE,
        unread.getMessage() + " Deploy code that can read it, then resolve.",
        unread);
  }

  public static CodeFault broken(Error error) {
    return new CodeFault(
        BROKEN_CODE,
        ThrowableText.line(error) + ". Deploy code that can be run here, then resolve.",
        error);
  }

  /**
   * Turns an exception from reading a record into a fault of the code. Exceptions of the store stay
   * as they are.
   */
  public static Throwable inReading(Throwable thrown) {
    return switch (thrown) {
      case PayloadConversionException unread -> unreadable(unread);
      case Error error -> broken(error);
      default -> thrown;
    };
  }
}
