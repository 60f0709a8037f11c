package dev.tenure.sharding.code;

import dev.tenure.workflow.Failure;

/** Exceptions as what is recorded of them, for whoever else runs users' code. */
public final class Exceptions {
  private Exceptions() {}

  public static Failure toFailure(Throwable thrown) {
    return Failures.of(thrown);
  }
}
