package dev.tenure.persistence.storage;

import java.util.List;
import java.util.stream.Collectors;

/**
 * An acknowledged write could be lost in a crash of the store, and the settings do not allow that.
 */
public final class StorageNotDurableError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  StorageNotDurableError(Storage storage, List<Finding> open) {
    super(describe(storage, open));
  }

  private static String describe(Storage storage, List<Finding> open) {
    return "%s is not durable: an acknowledged write may be lost when it crashes%s. Mend the settings, or accept each finding by its name where losing everything is acceptable."
        .formatted(
            storage.getClass().getName(),
            open.stream()
                .map(Finding::toString)
                .collect(
                    Collectors.collectingAndThen(
                        Collectors.joining("; "), all -> all.isEmpty() ? "" : " (" + all + ")")));
  }
}
