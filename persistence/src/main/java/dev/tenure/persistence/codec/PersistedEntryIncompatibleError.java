package dev.tenure.persistence.codec;

/**
 * Something in the journal was written by a newer engine, in a form that this one would
 * misunderstand. Nothing was changed.
 */
public final class PersistedEntryIncompatibleError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public PersistedEntryIncompatibleError(String what, int found, int understood) {
    super(
        "%s has version %d, and this engine understands versions up to %d. Start an engine that is at least as new as the one which wrote it."
            .formatted(what, found, understood));
  }

  PersistedEntryIncompatibleError(String what, int unknownKind) {
    this("%s of kind %d".formatted(what, unknownKind));
  }

  /**
   * @param what in the words of a sentence: "an entry with the manifest 'x'"
   */
  public PersistedEntryIncompatibleError(String what) {
    super(
        "%s is not known to this engine. Start an engine that is at least as new as the one which wrote it."
            .formatted(what));
  }
}
