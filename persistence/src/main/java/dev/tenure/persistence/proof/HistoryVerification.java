package dev.tenure.persistence.proof;

import dev.tenure.persistence.journal.JournalKey;
import dev.tenure.persistence.journal.JournalRead;
import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.workflow.WorkflowId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Verifies the history of one workflow. */
public final class HistoryVerification {
  private static final int PAGE_ROWS = 500;
  private static final long PAGE_BYTES = 4L * 1024 * 1024;

  private HistoryVerification() {}

  /**
   * Empty when the store has nothing of the workflow, or retention removed it. Blocks.
   *
   * @param known of the history, beside what the store recorded
   */
  public static Optional<Verified> of(
      Storage storage, Heads heads, WorkflowId id, List<Anchor> known) {
    while (true) {
      Optional<RecordedHead> recorded = heads.find(id);
      if (recorded.map(RecordedHead::isRemoved).orElse(false)) return Optional.empty();
      Optional<Verified> verified = verify(storage, recorded, id, known);
      boolean fits = verified.flatMap(Verified::finding).isEmpty();
      // The history may have gone on while it was read.
      if (fits || heads.find(id).equals(recorded)) return verified;
    }
  }

  private static Optional<Verified> verify(
      Storage storage, Optional<RecordedHead> recorded, WorkflowId id, List<Anchor> known) {
    List<Anchor> anchors = new ArrayList<>(known);
    recorded.flatMap(RecordedHead::anchor).ifPresent(anchors::add);
    ChainCheck check = new ChainCheck(id, storage.payloads(), anchors);
    rows(storage, id, check::row);
    Verified verified = check.end();
    if (verified.commits() == 0 && recorded.isEmpty() && known.isEmpty()) return Optional.empty();
    return Optional.of(withRow(verified, recorded.isPresent()));
  }

  /** A history and the row of its workflow are stored together. */
  static Verified withRow(Verified verified, boolean hasRow) {
    if (verified.finding().isPresent() || hasRow && verified.commits() > 0) return verified;
    return hasRow
        ? verified.with(
            new Finding(
                verified.workflow(), 1, "is missing: the workflow has a row and no history"))
        : verified.with(
            new Finding(
                verified.workflow(),
                verified.commits(),
                "is of a workflow that has no row of its own"));
  }

  /** Hands over all rows of the history, page by page. Blocks. */
  public static void rows(Storage storage, WorkflowId id, Consumer<JournalRow> each) {
    long from = 1;
    while (true) {
      JournalRead read =
          new JournalRead(JournalKey.of(id), from, Long.MAX_VALUE, PAGE_ROWS, PAGE_BYTES, false);
      List<JournalRow> rows = storage.read(List.of(read)).getFirst();
      rows.forEach(each);
      if (!read.isFull(rows)) return;
      from = rows.getLast().version() + 1;
    }
  }
}
