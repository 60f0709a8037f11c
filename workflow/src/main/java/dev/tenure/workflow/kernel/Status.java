package dev.tenure.workflow.kernel;

import dev.tenure.workflow.operation.Outcome;

/** Where a workflow stands, in the one word that people see, filter by and are alerted on. */
public enum Status {
  /** An operation of it is in flight. */
  RUNNING,
  /** It waits for a signal, a timer, a child or an update. */
  WAITING,
  /** A failed operation will be tried again. */
  RETRYING,
  /** An operator holds it. */
  PAUSED,
  /** No node has its code. */
  BLOCKED,
  /** It needs a person. */
  INCIDENT,
  COMPLETED,
  FAILED,
  CANCELLED,
  TERMINATED,
  TIMED_OUT;

  /** The status of a workflow with that outcome. */
  public static Status of(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Succeeded succeeded -> COMPLETED;
      case Outcome.Failed failed -> FAILED;
      case Outcome.Cancelled cancelled -> CANCELLED;
      case Outcome.Terminated terminated -> TERMINATED;
      case Outcome.TimedOut timedOut -> TIMED_OUT;
    };
  }

  /** Whether its outcome is decided; nothing of its program happens any more. */
  public boolean isFinal() {
    return compareTo(COMPLETED) >= 0;
  }
}
