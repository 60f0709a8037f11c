package dev.tenure.simulation;

import dev.tenure.sharding.host.OwnerLimits;
import dev.tenure.workflow.kernel.KernelLimits;

/** The limits of a life: each is that of a node, or one so small that the life comes to it. */
final class SmallLimits {
  private static final String PLACE = "limits";

  /**
   * Less than one message needs, and enough for a few open operations. In one life of four, because
   * few runs leave anything to be delivered.
   */
  private static final int CARRIED_BYTES = 250;

  /**
   * Room for the largest failure that an activity of a life ends with, and for what its commit says
   * besides. With less a workflow could never record that failure.
   */
  private static final int SMALLEST_COMMIT = 8 * 1024 + 512;

  private SmallLimits() {}

  /** A plan that says nothing of them has those of a node. */
  static LifeLimits drawn(Chance chance) {
    boolean looksSeldom = chance.below("due scans", 2) == 1;
    OwnerLimits owner = owner(chance);
    KernelLimits kernel = kernel(chance, owner.commitBytes());
    return new LifeLimits(owner, kernel, storedPrograms(chance), looksSeldom);
  }

  private static int storedPrograms(Chance chance) {
    int drawn = chance.below("stored programs", 4);
    return drawn == 0 ? 1_000 : drawn - 1;
  }

  /**
   * As with the limits of a node, a quarter of a commit is left beside what the end of a run, or a
   * recovery, writes for all that is open.
   */
  private static KernelLimits kernel(Chance chance, int commitBytes) {
    KernelLimits usual = KernelLimits.DEFAULT;
    return new KernelLimits(
        seldom(chance, usual.openOperations(), 4, 7),
        seldom(chance, usual.pendingUpdates(), 1, 2),
        seldom(chance, usual.updateAnswerBytes(), 1, 4),
        seldom(chance, usual.signalNames(), 1, 2),
        seldom(chance, usual.duePerCommit(), 1, 2),
        seldom(chance, (int) usual.dueBytesPerCommit(), 1, 200),
        seldom(chance, usual.carriedAnswersBytes(), 0, 40),
        seldom(chance, usual.carriedUpdatesBytes(), 1, 10),
        seldom(chance, usual.earlierStarts(), 0, 1),
        Math.min(seldom(chance, usual.openBytes(), 500, 1_000), commitBytes / 4 * 3),
        chance.below("kernel limits", 4) > 0 ? usual.carriedBytes() : CARRIED_BYTES);
  }

  /** In one life of eight each: lives that come to a limit of the kernel are often cut short. */
  private static int seldom(Chance chance, int usual, int... small) {
    int drawn = chance.below("kernel limits", 8 * small.length);
    return drawn == 0 || drawn > small.length ? usual : small[drawn - 1];
  }

  private static OwnerLimits owner(Chance chance) {
    OwnerLimits usual = OwnerLimits.DEFAULT;
    int commitBytes =
        one(chance, usual.commitBytes(), 16 * 1024, 24 * 1024, 12 * 1024, SMALLEST_COMMIT);
    int resultBytes = one(chance, (int) usual.resultBytesPerCommit(), 2 * 1024);
    return new OwnerLimits(
        one(chance, usual.waiting(), 20, 8, 5),
        one(chance, usual.urgent(), 2, 1),
        one(chance, usual.replies(), 1, 2, 5),
        one(chance, usual.signalsPerPage(), 1, 2, 3, 7),
        one(chance, usual.rowsPerPage(), 1, 2, 5),
        one(chance, usual.resultsPerCommit(), 1, 2, 5),
        Math.min(resultBytes, commitBytes / 2),
        one(chance, usual.waitsPerCommit(), 1, 2),
        one(chance, usual.wishesPerCommit(), 1, 2, 3),
        commitBytes,
        one(chance, usual.eventsPerSnapshot(), 1, 4, 12, 30));
  }

  /** Whether what code asks for at once may take several commits. */
  static boolean inPortions(OwnerLimits limits) {
    OwnerLimits usual = OwnerLimits.DEFAULT;
    return limits.wishesPerCommit() < usual.wishesPerCommit()
        || limits.commitBytes() < usual.commitBytes();
  }

  private static int one(Chance chance, int usual, int... small) {
    int drawn = chance.below(PLACE, small.length + 1);
    return drawn == 0 ? usual : small[drawn - 1];
  }
}
