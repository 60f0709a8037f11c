package dev.tenure.sharding.host;

import dev.tenure.workflow.WorkflowId;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * How many workflows that scans woke have not begun yet. A million may become due in one second, or
 * be left behind by a node that was lost: each that waits in memory for its history costs memory,
 * and nothing is gained by more of them than the node can read. So the scan waits, and the rest
 * stays in the store.
 */
public final class StartBudget {
  /** Enough for the reads to be merged, little enough for the memory of a small node. */
  public static final int STARTS_MAX = 5_000;

  /** A wake-up after which no owner came for so long was lost; the next scan finds it again. */
  static final Duration LOST_AFTER = Duration.ofSeconds(10);

  /** An owner that has not begun for so long waits for something else, and holds up no other. */
  static final Duration COUNTS_FOR = Duration.ofSeconds(60);

  private static final Duration LOOK_EVERY = Duration.ofMillis(5);

  private final int max;
  private final Predicate<WorkflowId> isHere;
  private final LongSupplier nanos;
  private final Map<WorkflowId, Long> wokenAt = new ConcurrentHashMap<>();

  /**
   * @param isHere whether a workflow has an owner in memory, begun or not
   */
  public StartBudget(int max, Predicate<WorkflowId> isHere, LongSupplier nanos) {
    this.max = max;
    this.isHere = isHere;
    this.nanos = nanos;
  }

  /**
   * Waits until the workflow may be woken, and counts it from then on. One that is in memory begins
   * nothing, and is not counted. False when it must not be woken: it was a moment ago, or the
   * thread is interrupted because the node ends.
   */
  public boolean take(WorkflowId id) {
    if (wokenAt.containsKey(id) && !hasExpired(id)) return false;
    if (isHere.test(id)) return true;
    while (notBegun() >= max) {
      wokenAt.keySet().removeIf(this::hasExpired);
      if (notBegun() < max) break;
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
      if (Thread.currentThread().isInterrupted()) return false;
    }
    wokenAt.put(id, nanos.getAsLong());
    return true;
  }

  private boolean hasExpired(WorkflowId id) {
    Long since = wokenAt.get(id);
    if (since == null) return true;
    Duration limit = isHere.test(id) ? COUNTS_FOR : LOST_AFTER;
    return nanos.getAsLong() - since >= limit.toNanos();
  }

  /** Its owner has begun, or is gone. Called for each owner of the node, so it must cost little. */
  public void begun(WorkflowId id) {
    if (!wokenAt.isEmpty()) wokenAt.remove(id);
  }

  /** How many were woken, and have not begun. */
  public int notBegun() {
    return wokenAt.size();
  }
}
