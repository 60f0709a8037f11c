package dev.tenure.sharding.commit;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitId;
import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.entry.Authorship;
import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.persistence.entry.JournalEntrySerializer;
import dev.tenure.persistence.journal.JournalKey;
import dev.tenure.persistence.payload.Payloads;
import java.util.List;

/**
 * Makes the storage's commit of a journal entry, for code that stores it without Pekko's journal.
 */
public final class EntryCommit {
  private static final JournalEntrySerializer SERIALIZER =
      new JournalEntrySerializer(Payloads.NONE);

  private EntryCommit() {}

  /**
   * @param rows what is stored with it
   */
  public static Commit of(JournalEntry entry, List<SideRow> rows) {
    Authorship by = entry.authorship().orElseThrow();
    return new Commit(
        id(entry),
        entry.fence(),
        SERIALIZER.manifest(entry),
        SERIALIZER.toBinary(entry),
        rows,
        entry.storedLink());
  }

  /** What tells the entry from every other commit. */
  public static CommitId id(JournalEntry entry) {
    Authorship by = entry.authorship().orElseThrow();
    return new CommitId(JournalKey.of(by.workflow()), entry.head().version(), by.writer());
  }
}
