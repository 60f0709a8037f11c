package dev.tenure.simulation;

import dev.tenure.sharding.host.OwnerLimits;

/** The limits of a life: each is that of a node, or one so small that the life comes to it. */
final class SmallLimits {
  private static final String PLACE = "limits";

  private SmallLimits() {}

  /** A plan that says nothing of them has those of a node. */
  static OwnerLimits drawn(Chance chance) {
    OwnerLimits usual = OwnerLimits.DEFAULT;
    int commitBytes = one(chance, usual.commitBytes(), 16 * 1024, 24 * 1024);
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
