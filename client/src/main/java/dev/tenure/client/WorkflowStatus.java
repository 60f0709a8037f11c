package dev.tenure.client;

import java.util.Locale;

/** How a workflow stands. */
public enum WorkflowStatus {
  RUNNING,
  WAITING,
  RETRYING,
  PAUSED,
  BLOCKED,
  INCIDENT,
  COMPLETED,
  FAILED,
  CANCELLED,
  TERMINATED,
  TIMED_OUT,
  /** A server that is newer than this client said something else. */
  UNKNOWN;

  /** The word of the API: {@code timed-out}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether nothing can change it any more. */
  public boolean isFinal() {
    return switch (this) {
      case COMPLETED, FAILED, CANCELLED, TERMINATED, TIMED_OUT -> true;
      case RUNNING, WAITING, RETRYING, PAUSED, BLOCKED, INCIDENT, UNKNOWN -> false;
    };
  }

  static WorkflowStatus of(String word) {
    for (WorkflowStatus status : values()) if (status.word().equals(word)) return status;
    return UNKNOWN;
  }
}
