package dev.tenure.sharding.commit;

import dev.tenure.persistence.entry.HistoryChain;
import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.persistence.entry.JournalEntryCodec;
import dev.tenure.persistence.journal.DamagedJournalError;
import dev.tenure.persistence.journal.JournalRead;
import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.sharding.host.Host;
import dev.tenure.workflow.WorkflowId;
import java.util.List;
import java.util.function.Consumer;

/** Reads the newest run of a workflow's history without owning the workflow. */
public final class StoredHistory {
  private StoredHistory() {}

  /** Hands over each journal entry, in order. Blocks. */
  public static void read(Host host, WorkflowId id, Consumer<JournalEntry> each) {
    read(host, id, row -> {}, each);
  }

  /**
   * The same.
   *
   * @param before gets each row before it is decoded, and may throw
   */
  public static void read(
      Host host, WorkflowId id, Consumer<JournalRow> before, Consumer<JournalEntry> each) {
    HistoryChain chain = new HistoryChain(id);
    for (long from = 1; ; ) {
      JournalRead read =
          new JournalRead(
              Host.persistenceId(id), from, Long.MAX_VALUE, host.limits.rowsPerPage(), from == 1);
      List<JournalRow> rows = host.storage.read(List.of(read)).getFirst();
      for (JournalRow row : rows) {
        boolean begins = from == 1 && row == rows.getFirst() && row.beginsRun();
        if (row.version() != from && !begins) throw DamagedJournalError.hole(row, from); // I2
        before.accept(row);
        each.accept(chain.next(JournalEntryCodec.decode(row, host.storage)));
        from = row.version() + 1;
      }
      if (rows.size() < host.limits.rowsPerPage()) return;
    }
  }
}
