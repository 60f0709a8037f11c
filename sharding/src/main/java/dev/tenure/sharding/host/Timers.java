package dev.tenure.sharding.host;

import java.time.Duration;

/** Says when some time has passed. */
public interface Timers {
  /** Runs it once, on a thread of this class: must not block. */
  public void after(Duration pause, Runnable task);
}
