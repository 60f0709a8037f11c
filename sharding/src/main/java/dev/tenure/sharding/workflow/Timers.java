package dev.tenure.sharding.workflow;

import java.time.Duration;

/** Says when some time has passed. */
interface Timers {
  /** Runs it once, on a thread of this class: must not block. */
  void after(Duration pause, Runnable task);
}
