package dev.tenure.persistence.memory;

import dev.tenure.persistence.retention.ClosedWorkflow;
import dev.tenure.persistence.retention.Removals;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.workflow.WorkflowId;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Removals of a storage inside one process. No history is too long to be removed at once. */
final class MemoryRemovals implements Removals {
  private final Object lock;
  private final InstantSource clock;
  private final MemoryWorkflows workflows;
  private Consumer<WorkflowId> forget = id -> {};
  private final Map<WorkflowId, Instant> freeAt = new HashMap<>();

  MemoryRemovals(Object lock, InstantSource clock, MemoryWorkflows workflows) {
    this.lock = lock;
    this.clock = clock;
    this.workflows = workflows;
  }

  /** With what removes the things that a workflow leaves beside its row. */
  MemoryRemovals leaving(Consumer<WorkflowId> rest) {
    forget = rest;
    return this;
  }

  /** Called with the lock held. */
  void requireFree(WorkflowId id) {
    if (isKept(id))
      throw new StorageException.IdRemoved(
          "workflow %s was removed; its id is free from %s on".formatted(id, freeAt.get(id)), null);
  }

  /** Whether the workflow was removed, and its id means nothing else yet. The lock is held. */
  boolean isKept(WorkflowId id) {
    Instant free = freeAt.get(id);
    return free != null && free.isAfter(clock.instant());
  }

  @Override
  public List<ClosedWorkflow> closed(Place after, Instant before, int limit) {
    synchronized (lock) {
      return workflows.closed(after, before, limit);
    }
  }

  @Override
  public int remove(List<ClosedWorkflow> closed, Duration idKeptFor) {
    synchronized (lock) {
      int removed = 0;
      for (ClosedWorkflow one : closed)
        if (!one.closedAt().isAfter(clock.instant()) && workflows.remove(one)) {
          forget.accept(one.id());
          freeAt.put(one.id(), one.closedAt().plus(idKeptFor));
          removed++;
        }
      freeAt.values().removeIf(free -> !free.isAfter(clock.instant()));
      return removed;
    }
  }

  @Override
  public int removeLeftHistory() {
    return 0;
  }

  @Override
  public int forgetIds(int limit) {
    synchronized (lock) {
      int before = freeAt.size();
      List<WorkflowId> free =
          freeAt.keySet().stream().filter(id -> !isKept(id)).limit(limit).toList();
      free.forEach(freeAt::remove);
      return before - freeAt.size();
    }
  }

  @Override
  public int dropEmptyMonths() {
    return 0;
  }
}
