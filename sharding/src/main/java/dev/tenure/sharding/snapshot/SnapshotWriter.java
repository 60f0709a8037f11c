package dev.tenure.sharding.snapshot;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.entry.Snapshot;
import dev.tenure.persistence.snapshot.Snapshots;
import dev.tenure.persistence.snapshot.StoredSnapshot;
import dev.tenure.persistence.storage.StorageException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes snapshots beside the commits of a node, one at a time: a commit never waits for one, and
 * never finds more than one connection to the store taken by them. An owner that comes while
 * another's snapshot is under way offers its own again after its next commit.
 */
public final class SnapshotWriter {
  private static final Logger log = LoggerFactory.getLogger(SnapshotWriter.class);

  /** A larger one would cost recovery more than the history that it stands for. */
  static final int BYTES_MAX = Commit.MAX_PAYLOAD_BYTES;

  private final Snapshots store;
  private final Executor executor;
  private final AtomicBoolean busy = new AtomicBoolean();
  private final AtomicLong kept = new AtomicLong();

  /**
   * @param executor runs what encodes and stores a snapshot, which blocks
   */
  public SnapshotWriter(Snapshots store, Executor executor) {
    this.store = store;
    this.executor = executor;
  }

  /**
   * Has the snapshot written, unless another one is under way. Does not block and does not throw.
   *
   * @param current makes the snapshot of a commit that stands; called at once, or not at all
   */
  public void offer(SnapshotSchedule schedule, Supplier<Snapshot> current) {
    if (!busy.compareAndSet(false, true)) return;
    try {
      Snapshot snapshot = current.get();
      schedule.begins(snapshot.state().events());
      executor.execute(() -> write(snapshot, schedule));
    } catch (RuntimeException failure) {
      busy.set(false);
      log.error("a snapshot is not written", failure);
    }
  }

  private void write(Snapshot snapshot, SnapshotSchedule schedule) {
    try {
      StoredSnapshot stored = snapshot.encode();
      schedule.size(stored.content().length);
      if (stored.content().length > BYTES_MAX)
        log.warn(
            "a snapshot of workflow {} would have {} bytes, more than BYTES_MAX = {}: its history"
                + " is folded instead",
            snapshot.id(),
            stored.content().length,
            BYTES_MAX);
      else if (store.keep(stored)) kept.incrementAndGet();
    } catch (StorageException away) {
      log.warn("no snapshot of workflow {} is kept: {}", snapshot.id(), away.getMessage());
    } catch (RuntimeException failure) {
      log.error("no snapshot of workflow {} is kept", snapshot.id(), failure);
    } finally {
      busy.set(false);
    }
  }

  /** How many were kept since the node started. */
  public long kept() {
    return kept.get();
  }
}
