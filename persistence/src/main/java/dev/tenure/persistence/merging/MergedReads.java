package dev.tenure.persistence.merging;

import dev.tenure.persistence.commit.CommitId;
import dev.tenure.persistence.commit.StoredText;
import dev.tenure.persistence.journal.JournalRead;
import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.persistence.storage.Storage;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** Recovery's reads, merged: many workflows that start at once cost a few queries, not one each. */
public final class MergedReads implements AutoCloseable {
  private static final int MAX_MERGED = 500;
  private static final int MAX_FRESH = 100_000;

  private final Set<String> fresh = ConcurrentHashMap.newKeySet();
  private final MergingQueue<String, Long> newest;
  private final MergingQueue<JournalRead, List<JournalRow>> rows;

  public MergedReads(Storage storage) {
    newest = ReadQueue.of("tenure-read-newest", MAX_MERGED, storage::newestVersions);
    rows = ReadQueue.of("tenure-read-rows", MAX_MERGED, storage::read);
  }

  /**
   * Announces that this persistence id was never used: its first recovery will not ask the
   * database. If that is wrong nothing is harmed, its first commit is a conflict, and the recovery
   * after that asks. Only for ids whose first version no retention can have removed.
   */
  public void expectFresh(String persistenceId) {
    // An announcement that is never used must not pile up: beyond the bound recoveries just ask.
    if (fresh.size() < MAX_FRESH) fresh.add(persistenceId);
  }

  /** Whether the id was announced as never used; an announcement counts once. */
  public boolean takeFresh(String persistenceId) {
    return fresh.remove(persistenceId);
  }

  /** The newest stored version, 0 when there is none. */
  public CompletionStage<Long> newestVersion(String persistenceId) {
    // Many questions are one query: one id that the database refuses would fail its neighbours.
    StoredText.require("persistence id", persistenceId, CommitId.MAX_PERSISTENCE_ID_BYTES);
    return newest.ask(persistenceId);
  }

  public CompletionStage<List<JournalRow>> read(JournalRead read) {
    return rows.ask(read);
  }

  @Override
  public void close() {
    newest.closeSoon();
    rows.closeSoon();
    newest.close();
    rows.close();
  }
}
