package dev.tenure.persistence.visibility;

import java.util.Locale;

/** The states of a workflow that a user can see; each stands in the store under its code. */
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
  TIMED_OUT;

  private final String code = name().toLowerCase(Locale.ROOT).replace('_', '-');

  public String code() {
    return code;
  }

  /** Whether nothing but retention follows (I4). */
  public boolean isTerminal() {
    return compareTo(COMPLETED) >= 0;
  }

  public static WorkflowStatus ofCode(String code) {
    for (WorkflowStatus status : values()) if (status.code.equals(code)) return status;
    throw new IllegalStateException("the store has a workflow status '" + code + "'");
  }
}
