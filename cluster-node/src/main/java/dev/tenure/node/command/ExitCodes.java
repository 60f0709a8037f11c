package dev.tenure.node.command;

import dev.tenure.node.config.ConfigurationError;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import picocli.CommandLine;

/** How the process ends, and what it says when it must. */
public final class ExitCodes {
  public static final int STOPPED = 0;
  public static final int FAILED = 1;
  public static final int BAD_CONFIGURATION = 2;

  private static final String OURS = "dev.tenure.";

  private ExitCodes() {}

  /**
   * Our own errors say what is wrong and what to do, and a stack would only hide that. Anything
   * else is a defect, and its stack is what is needed.
   */
  public static int report(
      Exception thrown, CommandLine command, CommandLine.ParseResult arguments) {
    Throwable error = thrown instanceof CompletionException e ? e.getCause() : thrown;
    Optional<Throwable> expected = ours(error);
    if (expected.isEmpty()) {
      error.printStackTrace(command.getErr());
      return FAILED;
    }
    Throwable told = expected.get();
    command.getErr().printf("tenure: %s: %s%n", told.getClass().getSimpleName(), told.getMessage());
    command.getErr().flush();
    return told instanceof ConfigurationError ? BAD_CONFIGURATION : FAILED;
  }

  private static Optional<Throwable> ours(Throwable error) {
    return error.getClass().getName().startsWith(OURS) ? Optional.of(error) : Optional.empty();
  }
}
