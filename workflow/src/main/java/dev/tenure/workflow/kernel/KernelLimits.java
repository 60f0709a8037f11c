package dev.tenure.workflow.kernel;

/**
 * How much one workflow may ask for and hold, of what {@link Kernel#decide} counts. Every node of a
 * cluster has the {@link #DEFAULT}: a node must be able to go on with a workflow that another node
 * accepted. The simulation uses small limits, so that short workflows reach them.
 *
 * @param openOperations as {@link Limits#OPEN_OPERATIONS_MAX}
 * @param pendingUpdates as {@link Limits#PENDING_UPDATES_MAX}
 * @param updateAnswerBytes as {@link Limits#UPDATE_ANSWER_BYTES_MAX}
 * @param signalNames as {@link Limits#SIGNAL_NAMES_MAX}
 * @param duePerCommit as {@link Limits#DUE_PER_COMMIT_MAX}
 * @param dueBytesPerCommit as {@link Limits#DUE_BYTES_PER_COMMIT_MAX}
 * @param carriedAnswersBytes as {@link Limits#CARRIED_ANSWERS_BYTES_MAX}
 * @param carriedUpdatesBytes as {@link Limits#CARRIED_UPDATES_BYTES_MAX}
 * @param earlierStarts as {@link Limits#EARLIER_STARTS_MAX}
 * @param openBytes as {@link Limits#OPEN_BYTES_MAX}
 * @param carriedBytes as {@link Limits#CARRIED_BYTES_MAX}
 */
public record KernelLimits(
    int openOperations,
    int pendingUpdates,
    int updateAnswerBytes,
    int signalNames,
    int duePerCommit,
    long dueBytesPerCommit,
    int carriedAnswersBytes,
    int carriedUpdatesBytes,
    int earlierStarts,
    int openBytes,
    int carriedBytes) {
  public static final KernelLimits DEFAULT =
      new KernelLimits(
          Limits.OPEN_OPERATIONS_MAX,
          Limits.PENDING_UPDATES_MAX,
          Limits.UPDATE_ANSWER_BYTES_MAX,
          Limits.SIGNAL_NAMES_MAX,
          Limits.DUE_PER_COMMIT_MAX,
          Limits.DUE_BYTES_PER_COMMIT_MAX,
          Limits.CARRIED_ANSWERS_BYTES_MAX,
          Limits.CARRIED_UPDATES_BYTES_MAX,
          Limits.EARLIER_STARTS_MAX,
          Limits.OPEN_BYTES_MAX,
          Limits.CARRIED_BYTES_MAX);
}
