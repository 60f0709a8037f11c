package dev.tenure.persistence.recovery;

import dev.tenure.persistence.visibility.WakeUp;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Counts the nodes that were lost while a workflow was at work. Nothing is written while nodes
 * start and stop in order; a workflow's next commit deletes its row, with a {@code
 * SideRow.WorkflowProgressed}.
 */
public interface Recoveries {
  /** So many workflows are counted in one transaction. */
  int COUNTED_AT_ONCE = 1_000;

  /**
   * A tenure that begins.
   *
   * @param lost whether the last owner did not give the shard up in order
   * @param countedSince the epoch of the claim that found the loss; what was counted under it or a
   *     later one is not counted for this loss again
   */
  record Beginning(int shard, long epoch, boolean lost, long countedSince) {
    public Beginning(int shard, long epoch, boolean lost) {
      this(shard, epoch, lost, epoch);
    }
  }

  /**
   * Counts one loss more for up to {@code limit} workflows that were at work when the tenure before
   * was lost; what was on trial counts by the size of its group. Each is counted once for a loss,
   * however often this is called.
   *
   * @param after where the call before ended; {@link WakeUp.Point#FIRST} for the first one
   * @return where the next call goes on; empty when all are counted, or when the tenure is not its
   *     shard's current one (I16)
   */
  Optional<WakeUp.Point> count(Beginning tenure, WakeUp.Point after, int limit);

  /**
   * Notes that these tenures begin, each once, when their losses are counted, and returns all there
   * is of their shards. Trials that were not counted are over without a verdict. Does nothing, and
   * returns nothing, for a tenure that is not its shard's current one (I16).
   */
  List<Recovery> begin(Collection<Beginning> tenures);

  /** Counts the losses of these tenures and begins them; may take as long as much was at work. */
  default List<Recovery> takeOver(Collection<Beginning> tenures) {
    for (Beginning one : tenures) {
      Optional<WakeUp.Point> next = one.lost() ? Optional.of(WakeUp.Point.FIRST) : Optional.empty();
      while (next.isPresent()) next = count(one, next.get(), COUNTED_AT_ONCE);
    }
    return begin(tenures);
  }

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
