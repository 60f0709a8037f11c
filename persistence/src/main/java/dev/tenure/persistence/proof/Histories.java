package dev.tenure.persistence.proof;

import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.persistence.payload.Payloads;
import java.util.List;
import java.util.Optional;

/** Reads all histories of a store in the order of their keys, for a comparison of all of it. */
public interface Histories {
  /**
   * Ids as the rows of workflows have them, in the order of the store.
   *
   * @param after empty for the first range
   * @param to is in it; when empty, it goes to the last one
   */
  record Range(String after, Optional<String> to) {}

  /** Gets the histories of a range one by one. */
  interface Visitor {
    /**
     * Another history begins.
     *
     * @param column its id, as a row of a workflow has it
     * @param recorded empty when the store has no row of the workflow
     */
    void begins(String column, Optional<RecordedHead> recorded, Payloads payloads);

    /** The next row of the history that has begun last. */
    void row(JournalRow row);

    /** The history that has begun last has no more rows. */
    void ends();
  }

  /**
   * A range that begins behind this key and has about so many rows; a history is never cut. The
   * last range has no end.
   *
   * @param after empty for the first range
   */
  Range next(String after, int rows);

  /** The newest commits of the workflows behind that one, in their order, so many at most. */
  List<JournalRow> newest(String after, int max);

  /** One reader is used by one thread at a time. It has a connection of its own. */
  Reader reader();

  interface Reader extends AutoCloseable {
    /** Visits each history that has rows in the journal, a row of its workflow, or both. */
    void read(Range range, Visitor visitor);

    @Override
    void close();
  }
}
