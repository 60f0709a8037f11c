package dev.tenure.persistence.journal;

import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.commit.SideRow;
import java.util.List;

/**
 * What an owner stores, event or snapshot, names the tenure under which it acts: {@link
 * FencedJournalDao} stores nothing else.
 */
public interface Fenced {
  Fence fence();

  /** Rows that are stored in the same transaction, if this is. */
  default List<SideRow> sideRows() {
    return List.of();
  }
}
