package dev.tenure.persistence.journal;

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

  /** I16: a later row was written under the same tenure or a later one. */
  public static DamagedJournalError fallingEpoch(JournalRow found, long before) {
    return new DamagedJournalError(
        "version %d of %s was written under epoch %d, the one before it under %d"
            .formatted(found.version(), found.persistenceId(), found.epoch(), before));
  }
}
