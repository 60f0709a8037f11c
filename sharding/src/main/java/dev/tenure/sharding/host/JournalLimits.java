package dev.tenure.sharding.host;

import java.time.Duration;

/**
 * How long an owner waits for the journal, and how many owners of a node read it at once.
 *
 * @param recoveriesMax histories that a node reads at once; the others wait for a permit
 * @param readSilenceMax how long the journal may take for the next rows of a history
 * @param lookSilenceMax how long the look for a snapshot may take; after that the history is read
 *     without one
 * @param commitSilenceMax how long the journal may take to answer a commit. An owner that gives up
 *     a commit reads the history again, and the read waits for a commit that is still under way.
 */
public record JournalLimits(
    int recoveriesMax,
    Duration readSilenceMax,
    Duration lookSilenceMax,
    Duration commitSilenceMax) {
  /**
   * Reads are merged by 500, so 2 000 keep the queries full, if the heap allows as many ({@link
   * RecoveryPermits}). The pipeline answers a commit within limits of its own, which are shorter
   * unless the database is overloaded.
   */
  public static final JournalLimits DEFAULT =
      new JournalLimits(
          2_000, Duration.ofSeconds(30), Duration.ofSeconds(5), Duration.ofSeconds(60));

  public JournalLimits {
    if (recoveriesMax < 1)
      throw new IllegalArgumentException("recoveriesMax is " + recoveriesMax + ", not at least 1");
    requirePositive("readSilenceMax", readSilenceMax);
    requirePositive("lookSilenceMax", lookSilenceMax);
    requirePositive("commitSilenceMax", commitSilenceMax);
  }

  private static void requirePositive(String name, Duration limit) {
    if (!limit.isPositive())
      throw new IllegalArgumentException(name + " is " + limit + ", not more than nothing");
  }
}
