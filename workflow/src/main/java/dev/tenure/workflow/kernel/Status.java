package dev.tenure.workflow.kernel;

import dev.tenure.workflow.operation.Outcome;

/** Where a workflow stands, in the one word that people see, filter by and are alerted on. */
public enum Status {
  /** Something of it is in flight. */
  RUNNING,
  /** It waits for a signal, a timer, a child or an update. */
  WAITING,
  /** What failed will be tried again. */
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

  /** Where a workflow stands that came out so. */
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
