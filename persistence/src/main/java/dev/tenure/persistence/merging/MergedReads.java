package dev.tenure.persistence.merging;

import dev.tenure.persistence.journal.JournalRead;
import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.persistence.storage.Storage;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Recovery's reads, merged: many workflows that start at once cost a few queries, not one each. */
public final class MergedReads implements AutoCloseable {
  private static final int MAX_MERGED = 500;

  private final MergingQueue<JournalRead, List<JournalRow>> rows;

  public MergedReads(Storage storage) {
    rows = ReadQueue.of("tenure-read-rows", MAX_MERGED, storage::read);
  }

  public CompletionStage<List<JournalRow>> read(JournalRead read) {
    return rows.ask(read);
  }

  @Override
  public void close() {
    rows.close();
  }
}
