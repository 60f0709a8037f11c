package dev.tenure.http.fault;

import dev.tenure.workflow.kernel.Status;
import java.util.Arrays;
import java.util.List;

/** How statuses are called in the API. */
public final class StatusWord {
  private StatusWord() {}

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

  /** The status of that name. */
  public static Status parse(String word) {
    for (Status status : Status.values()) if (of(status).equals(word)) return status;
    throw new IllegalArgumentException("there is no status " + word);
  }

  public static List<String> all() {
    return Arrays.stream(Status.values()).map(StatusWord::of).toList();
  }
}
