package dev.tenure.sharding.workflow;

/**
 * For how long a workflow's code has not come back, as whoever looks has seen it. Time without a
 * look hardly counts: when the whole process stood still, in a collection of its garbage or with
 * its machine, the code could not come back either, and nobody need be called for that. For one
 * thread.
 */
final class BusyTime {
  /** What counts of the time between two looks: as much as there is when all is well. */
  static final long GAP_NANOS_MAX = Residents.LOOK_AT_LEAST_EVERY.multipliedBy(2).toNanos();

  private long since;
  private long lookedAt;
  private long nanos;

  /**
   * @param busySince when the code began what it is busy with, never 0
   */
  boolean exceeds(long limitNanos, long busySince, long now) {
    if (busySince != since) nanos = 0;
    else nanos += Math.min(now - lookedAt, GAP_NANOS_MAX);
    since = busySince;
    lookedAt = now;
    return nanos >= limitNanos;
  }
}
