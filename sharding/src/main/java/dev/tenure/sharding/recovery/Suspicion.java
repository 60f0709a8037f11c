package dev.tenure.sharding.recovery;

import dev.tenure.persistence.recovery.Recovery;
import java.util.Comparator;
import java.util.OptionalInt;

/**
 * How the engine treats a workflow that was at work when its node was lost.
 *
 * <p>After one loss all workflows go on at once. After the second loss without any progress a
 * workflow is a suspect, as are all others that were at work then. The node tries suspects in
 * groups: one, another one, two, four, … When a node is lost while it tries a group, the workflows
 * of the group are tried first the next time, in smaller groups, so each loss halves their number.
 * When the node outlives a group, its workflows go on. A workflow that was alone in its group when
 * nodes were lost counts as the cause.
 */
public enum Suspicion {
  /** It goes on. */
  NONE,
  /** It goes on when it is tried. */
  SUSPECT,
  /** Its code is not run until a person says so. */
  CONVICTED;

  /** One loss is no reason for suspicion: any workflow may be at work when a node is lost. */
  public static final int LOSSES_SUSPECT = 2;

  /**
   * One loss while a workflow is tried alone may be chance: nodes are also lost for other reasons.
   */
  public static final int ALONE_MAX = 2;

  /**
   * After so many losses a workflow counts as the cause even if no trial showed it: it takes nodes
   * down too slowly for a trial. A search among thousands of suspects ends with fewer losses.
   */
  public static final int LOSSES_MAX = 20;

  /** Those that were in the smallest group when a node was lost come first. */
  static final Comparator<Recovery> ORDER =
      Comparator.comparingInt((Recovery one) -> company(one.company()))
          .thenComparing(Comparator.comparingInt(Recovery::losses).reversed())
          .thenComparing(one -> one.workflow().value());

  private static int company(OptionalInt company) {
    return company.orElse(Integer.MAX_VALUE);
  }

  public static Suspicion of(Recovery recovery) {
    if (recovery.alone() >= ALONE_MAX || recovery.losses() >= LOSSES_MAX) return CONVICTED;
    return recovery.losses() >= LOSSES_SUSPECT ? SUSPECT : NONE;
  }

  /** How many are tried next, when the node has outlived so many: 1, 1, 2, 4, … */
  static int groupSize(int outlived) {
    return Math.max(1, outlived);
  }
}
