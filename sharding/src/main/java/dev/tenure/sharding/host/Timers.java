package dev.tenure.sharding.host;

import java.time.Duration;

/** Runs tasks after a pause. */
public interface Timers {
  /** Runs the task once, on a thread of this class; the task must not block. */
  public void after(Duration pause, Runnable task);
}
