package dev.tenure.sharding.host;

import java.time.Duration;

/** Runs tasks after a pause. */
public interface Timers {
  /**
   * Runs the task once, on a thread of this class; the task must not block. What it throws is
   * reported.
   */
  public void after(Duration pause, Runnable task);

  /**
   * Runs the task once, or {@code instead} if the node closes before: a caller that waits for what
   * the task does is answered either way. Timers that cannot be closed only run the task.
   */
  public default void after(Duration pause, Runnable task, Runnable instead) {
    after(pause, task);
  }
}
