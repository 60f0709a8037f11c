package dev.tenure.persistence.recovery;

import java.util.Collection;
import java.util.List;

/**
 * Counts the nodes that were lost while a workflow was at work. Nothing is written while nodes
 * start and stop in order; a workflow's next commit deletes its row, with a {@code
 * SideRow.WorkflowProgressed}.
 */
public interface Recoveries {
  /**
   * A tenure that begins.
   *
   * @param lost whether the last owner did not give the shard up in order
   */
  record Beginning(int shard, long epoch, boolean lost) {}

  /**
   * Notes that these tenures begin, each once, and returns all there is of their shards. When the
   * one before was lost, everything that was at work then counts one loss more, and what was on
   * trial counts by the size of its group; otherwise trials are over without a verdict. Does
   * nothing, and returns nothing, for a tenure that is not its shard's current one (I16).
   */
  List<Recovery> takeOver(Collection<Beginning> tenures);

  /**
   * Notes that these are about to be tried together. Those whose shard has another owner by now are
   * left alone; the number of the others is returned.
   *
   * @param size of the whole group
   */
  int tryTogether(List<Recovery> group, int size);

  /** Notes that the node outlived them. They stay counted until they make progress. */
  void outlived(List<Recovery> group);
}
