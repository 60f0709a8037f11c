package dev.tenure.sharding.lease;

import java.time.Duration;

/** Runs the tasks of a {@link LeaseKeeper} on other threads. */
interface LeaseWork {
  /** Runs a task that blocks, soon, on another thread. */
  void blocking(Runnable task);

  /** Like {@link #blocking}, but claims run one by one: beats never queue behind them. */
  void claim(Runnable task);

  void later(Duration delay, Runnable task);
}
