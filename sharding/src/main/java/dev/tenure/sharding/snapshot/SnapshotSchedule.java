package dev.tenure.sharding.snapshot;

/**
 * When the next snapshot of a run is due: after so many events, and after as many bytes of the
 * journal as the snapshot before it had. So the snapshots of a run never cost more than its
 * history, however large its state is.
 */
public final class SnapshotSchedule {
  private final int everyEvents;

  /** How many events the run had at its newest snapshot. */
  private long eventsThen;

  private long bytesSince;

  /** Of the newest snapshot. Set by who writes it. */
  private volatile long snapshotBytes;

  /**
   * @param everyEvents so many events at least are between two snapshots
   */
  public SnapshotSchedule(int everyEvents) {
    this.everyEvents = everyEvents;
  }

  /** A commit stands. */
  public void stands(int bytes) {
    bytesSince += bytes;
  }

  /**
   * @param events of the run so far
   */
  public boolean isDue(long events) {
    return events - eventsThen >= everyEvents && bytesSince >= snapshotBytes;
  }

  /**
   * There is a snapshot of the run at this event, or there will be.
   *
   * @param events of the run so far
   */
  public void begins(long events) {
    eventsThen = events;
    bytesSince = 0;
  }

  /** How large the newest snapshot is. From any thread. */
  void size(long bytes) {
    snapshotBytes = bytes;
  }
}
