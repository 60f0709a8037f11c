package dev.tenure.persistence.codec;

/** Bytes in the journal that no engine wrote like this. Nothing was changed. */
public final class CorruptEntryError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public CorruptEntryError(String why) {
    super(
        "a stored journal entry is damaged: "
            + why
            + ". Do not resume the workflow; restore its history.");
  }

  public CorruptEntryError(Throwable cause) {
    super(
        "a stored journal entry is damaged: "
            + cause
            + ". Do not resume the workflow; restore its history.",
        cause);
  }
}
