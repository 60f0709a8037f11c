package dev.tenure.persistence.proof;

import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.persistence.entry.JournalEntryCodec;
import dev.tenure.persistence.journal.JournalKey;
import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.persistence.payload.Payloads;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/** The heads of all workflows of a store, read page by page. */
public final class NewestHeads implements Checkpoint.Source {
  private static final int PAGE_ROWS = 500;

  private final Histories histories;
  private Iterator<JournalRow> page = List.<JournalRow>of().iterator();
  private String last = "";

  public NewestHeads(Histories histories) {
    this.histories = histories;
  }

  @Override
  public Optional<CheckpointHead> next() {
    if (!page.hasNext()) page = histories.newest(last, PAGE_ROWS).iterator();
    if (!page.hasNext()) return Optional.empty();
    JournalRow row = page.next();
    last = row.persistenceId();
    JournalEntry entry = JournalEntryCodec.decode(row, Payloads.NONE);
    return Optional.of(
        new CheckpointHead(JournalKey.workflow(row.persistenceId()), row.version(), entry.link()));
  }
}
