package dev.tenure.persistence.entry;

/** The workflow was terminated while its history could not be read: it stays terminated. */
public final class SealedHistoryError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  SealedHistoryError(Head seal) {
    super(
        "the workflow was terminated at version %d, while its history could not be read. It stays terminated, also when the history is restored."
            .formatted(seal.version()));
  }
}
