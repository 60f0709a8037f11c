package dev.tenure.persistence.pekko;

import dev.tenure.persistence.commit.CommitId;

/** Nobody could say in time whether the commit was stored. Recovery will find out. */
public final class CommitOutcomeUnknown extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CommitOutcomeUnknown(CommitId id, Throwable cause) {
    super("the outcome of " + id + " is unknown: recover from the database", cause);
  }
}
