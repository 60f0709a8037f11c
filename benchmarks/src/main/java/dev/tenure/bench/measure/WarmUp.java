package dev.tenure.bench.measure;

/**
 * Says when a load has warmed up: two windows in a row were no faster than the best before them. A
 * compiler goes on for half a minute and more; figures from before say how fast it is.
 */
public final class WarmUp {
  /** By so much a window must be faster to count as such. */
  private static final double FASTER = 1.03;

  private static final int STILL_WINDOWS = 2;

  private final Options options;
  private double seconds;
  private double best;
  private int still;

  public WarmUp(Options options) {
    this.options = options;
  }

  /** How long to let the load run before the next word on it. */
  public int windowSeconds() {
    return Math.max(1, options.warmupSeconds / 2);
  }

  /**
   * @param seconds how long the window took
   * @return whether the load is warm, or has had its time
   */
  public boolean isOver(double perSecond, double seconds) {
    this.seconds += seconds;
    boolean faster = best == 0 || perSecond > best * FASTER;
    still = faster ? 0 : still + 1;
    best = Math.max(best, perSecond);
    if (this.seconds >= options.warmupMaxSeconds) return true;
    return still >= STILL_WINDOWS && this.seconds >= options.warmupSeconds;
  }

  public double seconds() {
    return seconds;
  }
}
