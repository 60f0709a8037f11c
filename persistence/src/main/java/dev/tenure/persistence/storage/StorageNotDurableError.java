package dev.tenure.persistence.storage;

/**
 * An acknowledged write could be lost in a crash of the store, and the settings do not allow that.
 */
public final class StorageNotDurableError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  StorageNotDurableError(Storage storage) {
    super(describe(storage));
  }

  private static String describe(Storage storage) {
    var findings = storage.capabilities().findings();
    return "%s is not durable: an acknowledged write may be lost when it crashes%s. Mend the settings, or allow a storage that is not durable where losing everything is acceptable."
        .formatted(
            storage.getClass().getName(),
            findings.isEmpty() ? "" : " (" + String.join("; ", findings) + ")");
  }
}
