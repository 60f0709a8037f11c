package dev.tenure.sharding.snapshot;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.entry.Snapshot;
import dev.tenure.persistence.snapshot.Snapshots;
import dev.tenure.persistence.snapshot.StoredSnapshot;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.workflow.WorkflowId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
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

  /** Beyond this number entries are forgotten: then a snapshot is made in vain once more. */
  private static final int IN_VAIN_MAX = 10_000;

  private final Snapshots store;
  private final Executor executor;
  private final AtomicBoolean busy = new AtomicBoolean();
  private final AtomicLong kept = new AtomicLong();

  /** Which workflows' snapshots are too large or refused, and at how many events. */
  private final Map<WorkflowId, Long> inVain = new ConcurrentHashMap<>();

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
   * @param events of the run so far
   * @param current makes the snapshot of a commit that stands; called at once, or not at all
   */
  public void offer(SnapshotSchedule schedule, long events, Supplier<Snapshot> current) {
    if (!busy.compareAndSet(false, true)) return;
    long bytesMax = schedule.bytesMax();
    // Also when it fails: the next one is due later, not after each commit.
    schedule.begins(events);
    boolean handedOver = false;
    try {
      Snapshot snapshot = current.get();
      executor.execute(() -> write(snapshot, schedule, bytesMax));
      handedOver = true;
    } catch (RuntimeException | LinkageError failure) {
      log.error("a snapshot is not written", failure);
    } finally {
      if (!handedOver) busy.set(false);
    }
  }

  /**
   * How many events the run had when a snapshot of the workflow was made here in vain; 0 if none
   * was.
   */
  public long madeInVain(WorkflowId id) {
    return inVain.getOrDefault(id, 0L);
  }

  private void wasInVain(Snapshot snapshot) {
    if (inVain.size() >= IN_VAIN_MAX) inVain.clear();
    inVain.put(snapshot.id(), snapshot.state().events());
  }

  private void write(Snapshot snapshot, SnapshotSchedule schedule, long bytesMax) {
    try {
      StoredSnapshot stored = snapshot.encode();
      schedule.size(stored.content().length);
      if (stored.content().length > BYTES_MAX) {
        wasInVain(snapshot);
        log.warn(
            "a snapshot of workflow {} would have {} bytes, more than BYTES_MAX = {}: its history"
                + " is folded instead",
            snapshot.id(),
            stored.content().length,
            BYTES_MAX);
      } else if (stored.content().length > bytesMax) {
        log.debug(
            "a snapshot of workflow {} waits until the journal has as many bytes", snapshot.id());
      } else if (store.keep(stored)) {
        kept.incrementAndGet();
        inVain.remove(snapshot.id());
      } else wasInVain(snapshot);
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
