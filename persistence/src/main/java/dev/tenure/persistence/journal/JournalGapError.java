package dev.tenure.persistence.journal;

/**
 * A version is missing between stored ones (I2): the history is damaged and must not be guessed.
 */
public final class JournalGapError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  JournalGapError(String persistenceId, long missingVersion) {
    super(
        "version %d of %s is missing, later ones are stored: restore the journal before going on"
            .formatted(missingVersion, persistenceId));
  }
}
