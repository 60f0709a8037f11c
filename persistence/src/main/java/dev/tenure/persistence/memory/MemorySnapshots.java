package dev.tenure.persistence.memory;

import dev.tenure.persistence.key.KeyText;
import dev.tenure.persistence.snapshot.Snapshots;
import dev.tenure.persistence.snapshot.StoredSnapshot;
import dev.tenure.workflow.WorkflowId;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** Snapshots in memory, under the lock of their storage. */
final class MemorySnapshots implements Snapshots {
  private final Object lock;
  private final MemoryWorkflows workflows;
  private final NavigableMap<String, StoredSnapshot> kept = new TreeMap<>();

  MemorySnapshots(Object lock, MemoryWorkflows workflows) {
    this.lock = lock;
    this.workflows = workflows;
  }

  private static String key(WorkflowId id) {
    return KeyText.column(id.value());
  }

  @Override
  public boolean keep(StoredSnapshot snapshot) {
    synchronized (lock) {
      StoredSnapshot there = kept.get(key(snapshot.id()));
      if (there != null && there.version() >= snapshot.version()) return false;
      kept.put(key(snapshot.id()), snapshot);
      return true;
    }
  }

  /** Called with the lock held. */
  void remove(WorkflowId id) {
    kept.remove(key(id));
  }

  @Override
  public Optional<StoredSnapshot> find(WorkflowId id) {
    synchronized (lock) {
      return Optional.ofNullable(kept.get(key(id)));
    }
  }

  @Override
  public Purged purge(Place after, int limit) {
    synchronized (lock) {
      List<String> seen =
          kept.tailMap(after.column(), false).keySet().stream().limit(limit).toList();
      int removed = 0;
      for (String key : seen)
        if (workflows.isClosed(kept.get(key).id().value()).orElse(true)) {
          kept.remove(key);
          removed++;
        }
      return new Purged(
          removed, seen.size() == limit ? new Place(seen.getLast()) : Place.BEGINNING);
    }
  }
}
