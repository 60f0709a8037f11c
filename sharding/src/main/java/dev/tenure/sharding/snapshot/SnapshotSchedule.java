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

  /** The first snapshot of a run comes after as many bytes as any may have. */
  private long bytesSince = SnapshotWriter.BYTES_MAX;

  /** Of the newest snapshot; 0 while it is not known. Set by the writer of snapshots. */
  private volatile long snapshotBytes;

  /**
   * @param everyEvents so many events at least are between two snapshots
   */
  public SnapshotSchedule(int everyEvents) {
    this.everyEvents = everyEvents;
  }

  /** Commits of so many bytes stand. */
  public void stands(long bytes) {
    bytesSince += bytes;
  }

  /**
   * @param events of the run so far
   */
  public boolean isDue(long events) {
    return events - eventsThen >= everyEvents && bytesSince >= snapshotBytes;
  }

  /**
   * Counts from this event: there is a snapshot of it, one will be made, or none is needed up to
   * it.
   *
   * @param events of the run so far
   */
  public void begins(long events) {
    countsFrom(events);
    bytesSince = 0;
  }

  /**
   * The run was read, and has no snapshot at this event.
   *
   * @param events of the run at that time
   */
  public void countsFrom(long events) {
    eventsThen = events;
  }

  /**
   * The bytes that the next snapshot may have; {@code BYTES_MAX} when the size of the newest one is
   * known, else no more than the commits since it.
   */
  long bytesMax() {
    // An owner that read the run does not know how large the snapshot is that is kept.
    return snapshotBytes == 0 ? bytesSince : SnapshotWriter.BYTES_MAX;
  }

  /** How large the newest snapshot is. From any thread. */
  void size(long bytes) {
    snapshotBytes = bytes;
  }
}
