package dev.tenure.sharding.workflow;

import dev.tenure.persistence.entry.HistoryChain;
import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.persistence.entry.JournalEntryCodec;
import dev.tenure.persistence.entry.SealedHistoryError;
import dev.tenure.persistence.journal.JournalRead;
import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.sharding.host.Host;
import dev.tenure.sharding.unreadable.Unreadable;
import dev.tenure.workflow.WorkflowId;
import java.util.ArrayList;
import java.util.List;

/** Reads a part of a history for people and for exports: damage is told, and not shown. */
final class HistoryPage {
  private HistoryPage() {}

  /** The commits from that version on, each compared with the one before. Blocks. */
  static List<JournalEntry> read(Storage storage, WorkflowId id, long from, int max) {
    // One more, to compare the first one with.
    long first = Math.max(1, from - 1);
    int rows = first < from ? max + 1 : max;
    JournalRead read = new JournalRead(Host.persistenceId(id), first, Long.MAX_VALUE, rows);
    List<JournalEntry> entries = new ArrayList<>();
    try {
      HistoryChain chain = new HistoryChain(id);
      for (JournalRow row : storage.read(List.of(read)).getFirst()) {
        JournalEntry entry = chain.next(JournalEntryCodec.decode(row, storage));
        if (row.version() >= from) entries.add(entry);
      }
      return entries;
    } catch (SealedHistoryError nothingBehindIt) {
      return entries;
    } catch (RuntimeException e) {
      throw refusal(id, e);
    }
  }

  /** What the caller is told when a history is damaged; other failures are told as they are. */
  static RuntimeException refusal(WorkflowId id, RuntimeException failure) {
    return Unreadable.damage(failure)
        .<RuntimeException>map(
            damage ->
                new WorkflowError.NotNow(id, "Its history cannot be read: %s.".formatted(damage)))
        .orElse(failure);
  }
}
