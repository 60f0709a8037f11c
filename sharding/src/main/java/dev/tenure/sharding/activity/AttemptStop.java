package dev.tenure.sharding.activity;

/** Stops an attempt, also when that is asked for before the attempt has begun. */
public final class AttemptStop {
  private Runnable stop = () -> {};
  private boolean asked;

  /** The attempt has begun, and is stopped so. */
  public synchronized void is(Runnable how) {
    stop = how;
    if (asked) how.run();
  }

  public synchronized void stop() {
    asked = true;
    stop.run();
  }
}
