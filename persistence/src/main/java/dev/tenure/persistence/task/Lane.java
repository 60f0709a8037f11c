package dev.tenure.persistence.task;

import java.util.List;

/**
 * Waiting tasks of a queue between which nothing but their age decides: those of one priority, one
 * fairness key, one activity and one limit.
 *
 * @param room how many of them their limit lets go now
 * @param numbers of the oldest, in order
 * @param hasMore whether there may be more than these
 */
public record Lane(
    int priority,
    String fairnessKey,
    String activity,
    TaskLimits limits,
    int room,
    List<Long> numbers,
    boolean hasMore) {
  /** The lane as it was found, before it is known which of its tasks may go. */
  public static Lane found(int priority, String fairnessKey, String activity, TaskLimits limits) {
    return new Lane(priority, fairnessKey, activity, limits, 0, List.of(), false);
  }

  public Lane withRoom(int tasks) {
    return new Lane(priority, fairnessKey, activity, limits, tasks, List.of(), tasks > 0);
  }

  public Lane with(List<Long> oldest, boolean more) {
    return new Lane(priority, fairnessKey, activity, limits, room, oldest, more);
  }
}
