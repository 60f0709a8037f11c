package dev.tenure.sharding.program;

import java.time.Duration;

/**
 * For how long a workflow's program has not come back, as one who looks from time to time has seen
 * it. Time without a look hardly counts: when the whole process stood still, in a collection of its
 * garbage or with its machine, the code could not come back either. Nor does time in which threads
 * of workflows found no carrier: other code kept them all. For one thread.
 */
public final class BusyTime {
  /** The longest usual time between two looks. */
  public static final Duration LOOK_EVERY_MAX = Duration.ofMillis(200);

  /** What counts of the time between two looks: as much as there is when all is well. */
  public static final long GAP_NANOS_MAX = LOOK_EVERY_MAX.multipliedBy(2).toNanos();

  private long since;
  private long ran;
  private long lookedAt;
  private long nanos;

  /** Looks at the run; true when it has run for longer than it may between two waits. */
  public boolean exceeds(long limitNanos, ProgramRun run, boolean carriers, long now) {
    return exceeds(limitNanos, run.busySince(), run.ranNanos(), carriers, now);
  }

  /**
   * @param busySince when the news began that the code is busy with, 0 when it is quiet
   * @param ranNanos how long its threads have run for that
   * @param carriers whether threads that could run got a carrier since the last look
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
