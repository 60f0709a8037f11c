package dev.tenure.persistence.journal;

import dev.tenure.persistence.commit.CommitId;
import dev.tenure.persistence.commit.StoredText;

/** A wish to read the versions {@code from}..{@code to} of one persistence id, at most so many. */
public record JournalRead(String persistenceId, long from, long to, int maxRows) {
  public JournalRead {
    // Many reads are one query: one id that the database refuses would fail its neighbours.
    StoredText.require("persistence id", persistenceId, CommitId.MAX_PERSISTENCE_ID_BYTES);
  }
}
