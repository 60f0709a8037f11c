package dev.tenure.sharding.program;

import java.time.Duration;

/**
 * Measures for how long a workflow's program has run without coming to a wait, by checks from time
 * to time. Of a long gap between two checks only a small part counts: when the whole process stood
 * still, in a garbage collection or with its machine, the code could not go on either. Time in
 * which threads of workflows got no carrier does not count, because other code kept them all. For
 * one thread.
 */
public final class BusyTime {
  /** The longest usual time between two checks. */
  public static final Duration LOOK_EVERY_MAX = Duration.ofMillis(200);

  /** The most that counts of the time between two checks. */
  public static final long GAP_NANOS_MAX = LOOK_EVERY_MAX.multipliedBy(2).toNanos();

  private long since;
  private long ran;
  private long lookedAt;
  private long nanos;

  /** Checks the run; true when it has run for longer than it may between two waits. */
  public boolean exceeds(long limitNanos, ProgramRun run, boolean carriers, long now) {
    return exceeds(limitNanos, run.busySince(), run.ranNanos(), carriers, now);
  }

  /**
   * @param busySince when the code got the news that it is handling, 0 when it waits
   * @param ranNanos how long its threads have run for these news
   * @param carriers whether threads that could run got a carrier since the last check
   */
  boolean exceeds(long limitNanos, long busySince, long ranNanos, boolean carriers, long now) {
    long gap = Math.min(now - lookedAt, GAP_NANOS_MAX);
    if (busySince == 0 || busySince != since) nanos = 0;
    else if (carriers) nanos += Math.clamp(ranNanos - ran, 0, gap);
    since = busySince;
    ran = ranNanos;
    lookedAt = now;
    return busySince != 0 && nanos >= limitNanos;
  }
}
