package dev.tenure.persistence.journal;

import dev.tenure.workflow.WorkflowId;

/**
 * The stored rows cannot have been written by the engine: they are neither replayed nor repaired.
 */
public final class DamagedJournalError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private DamagedJournalError(String message) {
    super(message + ": restore the journal before going on");
  }

  /** The database itself cannot read it. */
  public static DamagedJournalError unreadable(String persistenceId, Throwable cause) {
    DamagedJournalError error =
        new DamagedJournalError(
            "the database cannot read the rows of %s (%s)"
                .formatted(persistenceId, cause.getMessage()));
    error.initCause(cause);
    return error;
  }

  /** I2: versions have no holes. */
  public static DamagedJournalError hole(JournalRow found, long missing) {
    return new DamagedJournalError(
        "version %d of %s is missing, version %d is stored"
            .formatted(missing, found.persistenceId(), found.version()));
  }

  /** The key is not one that the engine makes of a workflow's id. */
  public static DamagedJournalError foreignKey(String persistenceId) {
    return new DamagedJournalError("the key %s names no workflow".formatted(persistenceId));
  }

  /** Each column that the payload holds, too, is compared with it. */
  public static DamagedJournalError column(
      JournalRow found, String column, Object value, Object payload) {
    return new DamagedJournalError(
        "version %d of %s has %s in the column %s and %s in its payload"
            .formatted(found.version(), found.persistenceId(), value, column, payload));
  }

  /** A history is of the workflow that it says it is of. */
  public static DamagedJournalError otherWorkflow(
      WorkflowId expected, WorkflowId found, long version) {
    return new DamagedJournalError(
        "version %d of workflow %s is a commit of workflow %s".formatted(version, expected, found));
  }

  /** Nothing comes before the first commit. */
  public static DamagedJournalError noBeginning(WorkflowId id, long version) {
    return new DamagedJournalError(
        "version %d of workflow %s does not begin its history".formatted(version, id));
  }

  /** I16: a later row was written under the same tenure or a later one. */
  public static DamagedJournalError fallingEpoch(JournalRow found, long before) {
    return new DamagedJournalError(
        "version %d of %s was written under epoch %d, the one before it under %d"
            .formatted(found.version(), found.persistenceId(), found.epoch(), before));
  }
}
