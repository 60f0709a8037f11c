package dev.tenure.sharding.recovery;

import dev.tenure.persistence.recovery.Recovery;
import java.util.Comparator;
import java.util.OptionalInt;

/**
 * What is done about a workflow that was at work when its node was lost.
 *
 * <p>One loss happens, and everything goes on at once. After the second without any progress the
 * workflow is a suspect, as is everything else that was there. Suspects are tried in groups: one,
 * another one, two, four, … A node that is lost over a group makes its members the prime suspects,
 * who are tried first the next time, so each loss halves them; and those that a node outlives go
 * on. Who was tried alone when nodes were lost is held to be the cause.
 */
public enum Suspicion {
  /** It goes on. */
  NONE,
  /** It goes on when it has been its turn to be tried. */
  SUSPECT,
  /** Its code is not run until a person says so. */
  CONVICTED;

  /** Everything is at work when its node is lost once. */
  public static final int LOSSES_SUSPECT = 2;

  /** Once may be chance: nodes are also lost for other reasons. */
  public static final int ALONE_MAX = 2;

  /**
   * For what takes its node down so slowly that no trial shows it; a search among thousands ends
   * earlier.
   */
  public static final int LOSSES_MAX = 20;

  /** Prime suspects first: who was in the smallest group when a node was lost. */
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

  /** How many are tried next, after so many were outlived: 1, 1, 2, 4, … */
  static int groupSize(int outlived) {
    return Math.max(1, outlived);
  }
}
