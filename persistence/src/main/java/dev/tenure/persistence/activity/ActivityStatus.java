package dev.tenure.persistence.activity;

import java.util.Locale;

/** How a keyed call stands. */
public enum ActivityStatus {
  /** Claimed: it may go out, may be under way, and may have had its effect. */
  STARTED,
  /** It took effect. Its result is there, unless the outside world could not give it. */
  COMPLETED,
  /** It failed, and had no effect or is allowed to be called again. */
  FAILED,
  /** The workflow did not want it any more before it was complete. */
  CANCELLED,
  /** It took too long; it may have had its effect. */
  TIMED_OUT,
  /** Whether it had its effect cannot be told. */
  INDETERMINATE;

  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public static ActivityStatus of(String word) {
    for (ActivityStatus status : values()) if (status.word().equals(word)) return status;
    throw new IllegalArgumentException("'%s' is no status of an activity".formatted(word));
  }
}
