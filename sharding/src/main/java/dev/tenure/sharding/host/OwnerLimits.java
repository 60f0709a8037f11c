package dev.tenure.sharding.host;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.workflow.kernel.Limits;

/**
 * How much an owner takes at once. A node has the {@link #DEFAULT}; with small ones a simulated
 * workflow comes to each of them within a short life.
 *
 * @param waiting messages that may wait for one workflow; one more is answered with busy
 * @param urgent so many orders to cancel or terminate may wait beyond that
 * @param askers those who wait for a workflow's end, or for the answer to an update
 * @param signalsPerPage what one look into an inbox reads at a time; fewer are all that there are
 * @param rowsPerPage what a history is read in
 * @param resultsPerCommit more wait for the next commit, so that none grows without bound
 * @param resultBytesPerCommit as much as that, but for one that is larger by itself
 * @param waitsPerCommit waits for signals that time out in one commit
 * @param wishesPerCommit of what the code asks for; the rest follows in commits of its own
 * @param commitBytes the most that one commit may have in the journal
 * @param eventsPerSnapshot so many events at least are between two snapshots of a workflow
 */
public record OwnerLimits(
    int waiting,
    int urgent,
    int askers,
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
   * A recovery reads so many rows before it looks for a snapshot: of most workflows that is all,
   * and they pay nothing for those that are long.
   */
  public int rowsBeforeSnapshot() {
    return Math.min(rowsPerPage, Math.max(1, eventsPerSnapshot / 4));
  }

  /** The same limits, with snapshots as often as that. */
  public OwnerLimits withEventsPerSnapshot(int events) {
    return new OwnerLimits(
        waiting,
        urgent,
        askers,
        signalsPerPage,
        rowsPerPage,
        resultsPerCommit,
        resultBytesPerCommit,
        waitsPerCommit,
        wishesPerCommit,
        commitBytes,
        events);
  }

  /** With so many wishes in a commit at most. */
  public OwnerLimits withWishesPerCommit(int max) {
    return new OwnerLimits(
        waiting,
        urgent,
        askers,
        signalsPerPage,
        rowsPerPage,
        resultsPerCommit,
        resultBytesPerCommit,
        waitsPerCommit,
        max,
        commitBytes,
        eventsPerSnapshot);
  }

  /** A part of what a commit takes is left for what stands around the events of a fork. */
  public long forkBytes() {
    return commitBytes - commitBytes / 16;
  }
}
