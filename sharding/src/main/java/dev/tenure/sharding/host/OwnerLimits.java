package dev.tenure.sharding.host;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.workflow.kernel.Limits;

/**
 * How much an owner takes at once. A node has the {@link #DEFAULT}; the simulation has small
 * limits, so that a short life reaches each of them.
 *
 * @param waiting messages that may wait for one workflow; one more is answered with busy
 * @param urgent requests to cancel or terminate that may wait beyond that
 * @param replies clients that may wait for a workflow's end, or for the answer to an update
 * @param signalsPerPage signals that one read of an inbox returns at most; fewer are the last
 * @param rowsPerPage rows of a history that one read returns at most
 * @param resultsPerCommit results that one commit takes; more wait for the next
 * @param resultBytesPerCommit their bytes; a single larger result is taken alone
 * @param waitsPerCommit waits for signals that time out in one commit
 * @param wishesPerCommit wishes of the code that one commit grants; the rest follows in commits of
 *     its own
 * @param commitBytes the most that one commit may have in the journal
 * @param eventsPerSnapshot the fewest events between two snapshots of a workflow
 */
public record OwnerLimits(
    int waiting,
    int urgent,
    int replies,
    int signalsPerPage,
    int rowsPerPage,
    int resultsPerCommit,
    long resultBytesPerCommit,
    int waitsPerCommit,
    int wishesPerCommit,
    int commitBytes,
    int eventsPerSnapshot) {
  public static final OwnerLimits DEFAULT =
      new OwnerLimits(
          WorkflowSettings.WAITING_MAX,
          100,
          1_000,
          100,
          1_000,
          1_000,
          2 * 1024 * 1024,
          Limits.DUE_PER_COMMIT_MAX,
          Limits.OPEN_OPERATIONS_MAX,
          Commit.MAX_PAYLOAD_BYTES,
          1_000);

  /**
   * The rows that a recovery reads before it looks for a snapshot. Most workflows have fewer, so
   * they pay nothing for the search.
   */
  public int rowsBeforeSnapshot() {
    return Math.min(rowsPerPage, Math.max(1, eventsPerSnapshot / 4));
  }

  /** The same limits, with that many events between two snapshots. */
  public OwnerLimits withEventsPerSnapshot(int events) {
    return new OwnerLimits(
        waiting,
        urgent,
        replies,
        signalsPerPage,
        rowsPerPage,
        resultsPerCommit,
        resultBytesPerCommit,
        waitsPerCommit,
        wishesPerCommit,
        commitBytes,
        events);
  }

  /** The same limits, with that many wishes in a commit. */
  public OwnerLimits withWishesPerCommit(int max) {
    return new OwnerLimits(
        waiting,
        urgent,
        replies,
        signalsPerPage,
        rowsPerPage,
        resultsPerCommit,
        resultBytesPerCommit,
        waitsPerCommit,
        max,
        commitBytes,
        eventsPerSnapshot);
  }

  /**
   * The bytes that the events of a fork may have. The rest of its commit is for the frame around
   * them.
   */
  public long forkBytes() {
    return commitBytes - commitBytes / 16;
  }
}
