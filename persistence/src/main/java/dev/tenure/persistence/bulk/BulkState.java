package dev.tenure.persistence.bulk;

import java.util.Locale;

/** Where a bulk operation stands. */
public enum BulkState {
  /** Counted, and not confirmed. */
  PROPOSED,
  RUNNING,
  FINISHED;

  /** As it stands in the store and in the API. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static BulkState parse(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
