package dev.tenure.sharding.commit;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitId;
import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.persistence.entry.JournalEntrySerializer;
import dev.tenure.persistence.payload.Payloads;
import dev.tenure.sharding.host.Host;
import dev.tenure.workflow.WorkflowId;
import java.util.List;
import java.util.UUID;

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
  public static Commit of(WorkflowId id, JournalEntry entry, List<SideRow> rows, UUID writer) {
    return new Commit(
        new CommitId(Host.persistenceId(id), entry.head().version(), writer),
        entry.fence(),
        SERIALIZER.manifest(entry),
        SERIALIZER.toBinary(entry),
        rows,
        entry.storedLink());
  }
}
