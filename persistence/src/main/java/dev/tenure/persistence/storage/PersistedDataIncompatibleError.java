package dev.tenure.persistence.storage;

/** The store was written in a format that this engine cannot read; nothing in it was touched. */
public final class PersistedDataIncompatibleError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public PersistedDataIncompatibleError(String storedFormat, int understoodFormat) {
    super(
        "the store has format %s, and this engine understands formats up to %d. Start an engine that is at least as new as the one which wrote it."
            .formatted(storedFormat, understoodFormat));
  }
}
