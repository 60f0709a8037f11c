package dev.tenure.persistence.pekko;

import dev.tenure.persistence.commit.CommitId;
import dev.tenure.persistence.commit.CommitResult;

/** A commit was certainly not stored; the result says why. Its actor must stop. */
public final class CommitRejected extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient CommitResult result;

  CommitRejected(CommitId id, CommitResult result) {
    // Without a stack trace: a takeover rejects every workflow of a shard at once.
    super(id + ": " + result, null, false, false);
    this.result = result;
  }

  public CommitResult result() {
    return result;
  }
}
