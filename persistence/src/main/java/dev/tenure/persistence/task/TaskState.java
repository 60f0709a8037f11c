package dev.tenure.persistence.task;

import java.util.Locale;

/** What a stored task waits for. See {@link TaskStanding} for what its owner learns of it. */
public enum TaskState {
  /** A worker. */
  WAITING,
  /** The worker that took it. */
  TAKEN,
  /** Its workflow's owner, who has to find out whether it took effect. */
  LOST,
  /** Its workflow's owner, who takes the outcome. */
  DONE;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static TaskState of(String word) {
    for (TaskState state : values()) if (state.word().equals(word)) return state;
    throw new IllegalArgumentException("'%s' is no state of a task".formatted(word));
  }
}
