package dev.tenure.persistence.pekko;

import dev.tenure.persistence.commit.CommitId;

/**
 * It is unknown whether the commit was stored. The owner starts again and reads it from the
 * journal.
 */
public final class CommitOutcomeUnknown extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CommitOutcomeUnknown(CommitId id, Throwable cause) {
    super("the outcome of " + id + " is unknown: recover from the database", cause);
  }
}
