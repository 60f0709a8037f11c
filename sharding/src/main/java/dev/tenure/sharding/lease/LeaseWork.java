package dev.tenure.sharding.lease;

import java.time.Duration;

/** Runs the tasks of a {@link LeaseKeeper} on other threads. */
public interface LeaseWork {
  /** Runs a task that blocks, soon, on another thread. */
  void blocking(Runnable task);

  /** Like {@link #blocking}, but claims run one by one: beats never queue behind them. */
  void claim(Runnable task);

  /** Runs a task that does not block after the delay. */
  void later(Duration delay, Runnable task);
}
