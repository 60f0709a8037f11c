package dev.tenure.persistence.codec;

/** Bytes in the journal that no engine wrote like this. Nothing was changed. */
public final class CorruptStepError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public CorruptStepError(String why) {
    super(
        "a stored step is damaged: " + why + ". Do not resume the workflow; restore its history.");
  }

  public CorruptStepError(Throwable cause) {
    super(
        "a stored step is damaged: " + cause + ". Do not resume the workflow; restore its history.",
        cause);
  }
}
