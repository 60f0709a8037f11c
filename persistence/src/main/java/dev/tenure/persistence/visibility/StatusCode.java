package dev.tenure.persistence.visibility;

import dev.tenure.workflow.kernel.Status;

/** How statuses stand in the store; the words are part of its format and never change. */
public final class StatusCode {
  private StatusCode() {}

  public static String of(Status status) {
    return switch (status) {
      case RUNNING -> "running";
      case WAITING -> "waiting";
      case RETRYING -> "retrying";
      case PAUSED -> "paused";
      case BLOCKED -> "blocked";
      case INCIDENT -> "incident";
      case COMPLETED -> "completed";
      case FAILED -> "failed";
      case CANCELLED -> "cancelled";
      case TERMINATED -> "terminated";
      case TIMED_OUT -> "timed-out";
    };
  }

  public static Status parse(String code) {
    for (Status status : Status.values()) if (of(status).equals(code)) return status;
    throw new IllegalStateException("the store has a workflow status '" + code + "'");
  }
}
