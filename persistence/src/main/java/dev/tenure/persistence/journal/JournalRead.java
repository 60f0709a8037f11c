package dev.tenure.persistence.journal;

import dev.tenure.persistence.commit.CommitId;
import dev.tenure.persistence.commit.StoredText;

/**
 * A wish to read the versions {@code from}..{@code to} of one persistence id, at most so many.
 *
 * @param newestRun leaves out what is before the newest commit in which a run begins
 */
public record JournalRead(
    String persistenceId, long from, long to, int maxRows, boolean newestRun) {
  public JournalRead(String persistenceId, long from, long to, int maxRows) {
    this(persistenceId, from, to, maxRows, false);
  }

  public JournalRead {
    // Many reads are one query: one id that the database refuses would fail its neighbours.
    StoredText.require("persistence id", persistenceId, CommitId.MAX_PERSISTENCE_ID_BYTES);
  }
}
