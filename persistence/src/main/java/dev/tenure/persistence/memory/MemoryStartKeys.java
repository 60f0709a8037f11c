package dev.tenure.persistence.memory;

import dev.tenure.persistence.start.StartKeys;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Keys of starts of a storage inside one process. */
final class MemoryStartKeys implements StartKeys {
  private record Kept(Claim claim, Instant claimedAt) {}

  private final Object lock;
  private final InstantSource clock;
  private final MemoryWorkflows workflows;
  private final NavigableMap<String, Kept> keys = new TreeMap<>();

  MemoryStartKeys(Object lock, InstantSource clock, MemoryWorkflows workflows) {
    this.lock = lock;
    this.clock = clock;
    this.workflows = workflows;
  }

  @Override
  public Claim claim(String key, Claim wanted) {
    synchronized (lock) {
      Instant now = clock.instant();
      Kept kept = keys.computeIfAbsent(key, k -> new Kept(wanted, now));
      if (kept.claimedAt.isBefore(now.minus(RENEWED_AFTER)))
        keys.put(key, new Kept(kept.claim, now));
      return kept.claim;
    }
  }

  @Override
  public Purged purge(Place after, int limit) {
    synchronized (lock) {
      Instant old = clock.instant().minus(KEPT_FOR);
      List<String> seen =
          keys.tailMap(after.column(), false).keySet().stream().limit(limit).toList();
      int removed = 0;
      for (String key : seen)
        if (isForgotten(keys.get(key), old)) {
          keys.remove(key);
          removed++;
        }
      return new Purged(
          removed, seen.size() == limit ? new Place(seen.getLast()) : Place.BEGINNING);
    }
  }

  private boolean isForgotten(Kept kept, Instant old) {
    return kept.claimedAt.isBefore(old) && !workflows.has(kept.claim.workflowId());
  }
}
