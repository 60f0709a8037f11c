package dev.tenure.persistence.pekko;

import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.journal.DamagedJournalError;
import dev.tenure.persistence.journal.JournalRow;
import java.util.List;
import java.util.Optional;

/**
 * An event that an owner stores names the tenure under which it acts: {@link FencedJournalDao}
 * stores nothing else.
 */
public interface Fenced {
  Fence fence();

  /**
   * The event as it was read from this row.
   *
   * @throws DamagedJournalError when the row's columns say something else than the event
   */
  default Fenced storedAs(JournalRow row) {
    return this;
  }

  /** Rows that are stored in the same transaction, if this is. */
  default List<SideRow> sideRows() {
    return List.of();
  }

  /** Its link in the chain of hashes, when it is an entry of one. */
  default Optional<byte[]> storedLink() {
    return Optional.empty();
  }
}
