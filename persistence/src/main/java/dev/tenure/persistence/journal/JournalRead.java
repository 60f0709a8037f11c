package dev.tenure.persistence.journal;

import dev.tenure.persistence.commit.CommitId;
import dev.tenure.persistence.commit.StoredText;
import java.util.List;

/**
 * A wish to read the versions {@code from}..{@code to} of one persistence id, at most so many.
 *
 * @param maxBytes the row whose payload reaches this sum is the last one
 * @param newestRun leaves out what is before the newest commit in which a run begins
 */
public record JournalRead(
    String persistenceId, long from, long to, int maxRows, long maxBytes, boolean newestRun) {
  public JournalRead(String persistenceId, long from, long to, int maxRows) {
    this(persistenceId, from, to, maxRows, false);
  }

  public JournalRead(String persistenceId, long from, long to, int maxRows, boolean newestRun) {
    this(persistenceId, from, to, maxRows, Long.MAX_VALUE, newestRun);
  }

  /** The same with fewer bytes. */
  public JournalRead withMaxBytes(long bytes) {
    return new JournalRead(persistenceId, from, to, maxRows, bytes, newestRun);
  }

  /** Whether these rows, which are its answer, may be followed by more. */
  public boolean isFull(List<JournalRow> rows) {
    return rows.size() >= maxRows || bytes(rows) >= maxBytes;
  }

  private static long bytes(List<JournalRow> rows) {
    long sum = 0;
    for (JournalRow row : rows) sum += row.payload().length;
    return sum;
  }

  public JournalRead {
    // Many reads are one query: one id that the database refuses would fail its neighbours.
    StoredText.require("persistence id", persistenceId, CommitId.MAX_PERSISTENCE_ID_BYTES);
  }
}
