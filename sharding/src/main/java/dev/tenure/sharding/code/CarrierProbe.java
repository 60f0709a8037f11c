package dev.tenure.sharding.code;

/**
 * Says whether virtual threads that could run get a carrier. A thread that computes keeps its
 * carrier until it waits for something, so a few of them can keep all others waiting. For one
 * thread.
 */
public final class CarrierProbe {
  private volatile boolean ran = true;

  /** Whether a thread that could run at the last look has run since. */
  public boolean look() {
    if (!ran) return false;
    ran = false;
    Thread.ofVirtual().name("tenure-carrier-probe").start(() -> ran = true);
    return true;
  }
}
