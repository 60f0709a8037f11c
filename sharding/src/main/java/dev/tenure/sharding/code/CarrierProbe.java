package dev.tenure.sharding.code;

import dev.tenure.sharding.pool.CodeThreads;

/**
 * Says whether virtual threads that could run get a carrier. A thread that computes keeps its
 * carrier until it waits for something, so a few of them can keep all others waiting. For one
 * thread.
 */
public final class CarrierProbe {
  private final CodeThreads threads;
  private volatile boolean ran = true;

  public CarrierProbe(CodeThreads threads) {
    this.threads = threads;
  }

  /** Whether a thread that could run at the last check has run since. */
  public boolean look() {
    if (!ran) return false;
    ran = false;
    threads.builder().name("tenure-carrier-probe").start(() -> ran = true);
    return true;
  }
}
