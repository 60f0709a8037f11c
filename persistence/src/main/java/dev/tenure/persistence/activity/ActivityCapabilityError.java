package dev.tenure.persistence.activity;

import java.util.List;

/** The storage cannot claim a keyed call without a race; nothing was stored. */
public final class ActivityCapabilityError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private ActivityCapabilityError(Class<?> storage, List<String> findings) {
    super(
        "a keyed activity needs conditionalBatch, and %s does not offer it%s. Use a PostgreSQL primary, or an activity without a key and expect that it may run twice."
            .formatted(
                storage.getName(), findings.isEmpty() ? "" : ": " + String.join("; ", findings)));
  }

  /** Called before the first claim: reading first and writing then lets two claims through. */
  public static void require(Class<?> storage, boolean conditionalBatch, List<String> findings) {
    if (!conditionalBatch) throw new ActivityCapabilityError(storage, findings);
  }
}
