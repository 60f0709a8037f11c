package dev.tenure.persistence.pekko;

import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.commit.SideRow;
import java.util.List;
import java.util.Optional;

/**
 * An event that an owner stores names the tenure under which it acts: {@link FencedJournalDao}
 * stores nothing else.
 */
public interface Fenced {
  Fence fence();

  /** Rows that are stored in the same transaction, if this is. */
  default List<SideRow> sideRows() {
    return List.of();
  }

  /** Its link in the chain of hashes, when it is an entry of one. */
  default Optional<byte[]> storedLink() {
    return Optional.empty();
  }
}
