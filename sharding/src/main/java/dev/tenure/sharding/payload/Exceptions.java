package dev.tenure.sharding.payload;

import dev.tenure.workflow.Failure;

/** Turns exceptions into what is recorded of them, for other code that runs users' code. */
public final class Exceptions {
  private Exceptions() {}

  public static Failure toFailure(Throwable thrown) {
    return Failures.of(thrown);
  }

  /** As a workflow's code gets it; of its own class, if the loader has it and it can be made. */
  public static Throwable toThrowable(Failure failure, String what, ClassLoader loader) {
    return Failures.toThrowable(failure, what, loader);
  }
}
