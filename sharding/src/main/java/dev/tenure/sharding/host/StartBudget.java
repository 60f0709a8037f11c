package dev.tenure.sharding.host;

import dev.tenure.workflow.WorkflowId;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * How many workflows that scans woke have not begun yet. A million may become due in one second, or
 * be left behind by a node that was lost: each that waits in memory for its history costs memory,
 * and nothing is gained by more of them than the node can read. So the scan waits, and the rest
 * stays in the store. It also waits while too many are at work: each of them takes memory until it
 * rests or ends, and what it does may take long.
 */
public final class StartBudget {
  /** Enough for the reads to be merged, little enough for the memory of a small node. */
  public static final int STARTS_MAX = 5_000;

  /** A wake-up after which no owner came for so long was lost; the next scan finds it again. */
  static final Duration LOST_AFTER = Duration.ofSeconds(10);

  /** An owner that has not begun for so long waits for something else, and holds up no other. */
  static final Duration COUNTS_FOR = Duration.ofSeconds(60);

  /** So long scans wait at most for those that are at work: they may wait for the next ones. */
  static final Duration WAITS_FOR = Duration.ofSeconds(60);

  /** So many may then begin besides, before scans wait again. */
  static final int LET_BY = 100;

  /** What a workflow that is at work takes of the heap, with its code and all around it. */
  private static final int HEAP_PER_WORKFLOW = 32 * 1024;

  private static final int AT_WORK_LEAST = 1_000;

  private static final Duration LOOK_EVERY = Duration.ofMillis(5);

  private final int max;
  private final int atWorkMax;
  private final IntSupplier atWork;
  private final Predicate<WorkflowId> isHere;
  private final LongSupplier nanos;
  private final Map<WorkflowId, Long> wokenAt = new ConcurrentHashMap<>();
  private final Queue<Waiting> waiting = new ConcurrentLinkedQueue<>();

  /** Since when too many are at work, as far as a scan knows. */
  private OptionalLong crowdedSince = OptionalLong.empty();

  private int letBy;

  /**
   * @param atWorkMax while so many are at work, none is begun besides
   * @param isHere whether a workflow has an owner in memory, begun or not
   * @param atWork how many workflows are in memory and do not rest
   */
  public StartBudget(
      int max,
      int atWorkMax,
      Predicate<WorkflowId> isHere,
      IntSupplier atWork,
      LongSupplier nanos) {
    this.max = max;
    this.atWorkMax = atWorkMax;
    this.atWork = atWork;
    this.isHere = isHere;
    this.nanos = nanos;
  }

  /** How many workflows may be at work in a heap of this size. */
  public static int atWorkMax(long heapBytes) {
    return Math.clamp(heapBytes / HEAP_PER_WORKFLOW, AT_WORK_LEAST, Integer.MAX_VALUE);
  }

  /**
   * Waits until the workflow may be woken, and counts it from then on. One that is in memory begins
   * nothing, and is not counted. False when it must not be woken: it was a moment ago, or the
   * thread is interrupted because the node ends.
   */
  public boolean take(WorkflowId id) {
    if (wokenAt.containsKey(id) && !hasExpired(id)) return false;
    if (isHere.test(id)) return true;
    while (!takesPlace()) {
      wokenAt.keySet().removeIf(this::hasExpired);
      if (takesPlace()) break;
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
      if (Thread.currentThread().isInterrupted()) return false;
    }
    // Something else may have brought it up meanwhile.
    if (!isHere.test(id)) wokenAt.put(id, nanos.getAsLong());
    return true;
  }

  /** False when there is none; one that is let by is counted. */
  private synchronized boolean takesPlace() {
    if (notBegun() >= max) return false;
    if (atWork.getAsInt() < atWorkMax) {
      crowdedSince = OptionalLong.empty();
      letBy = 0;
      return true;
    }
    long now = nanos.getAsLong();
    if (crowdedSince.isEmpty() || letBy >= LET_BY) {
      crowdedSince = OptionalLong.of(now);
      letBy = 0;
    }
    if (now - crowdedSince.getAsLong() < WAITS_FOR.toNanos()) return false;
    letBy++;
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
    if (wokenAt.isEmpty()) return;
    wokenAt.remove(id);
    for (Waiting one : waiting) if (one.begun(id)) waiting.remove(one);
  }

  /**
   * Runs the task when all that were woken until now have begun, or are gone; not at all when one
   * of them does neither within the time after which it no longer counts.
   */
  public void whenBegun(Runnable task) {
    waiting.removeIf(one -> nanos.getAsLong() - one.since >= COUNTS_FOR.toNanos());
    Waiting one = new Waiting(wokenAt.keySet(), task, nanos.getAsLong());
    waiting.add(one);
    // Those that began while it was made.
    for (WorkflowId id : one.ids) if (!wokenAt.containsKey(id)) one.ids.remove(id);
    if (one.runIfNoneIsLeft()) waiting.remove(one);
  }

  private static final class Waiting {
    final Set<WorkflowId> ids = ConcurrentHashMap.newKeySet();
    final Runnable task;
    final long since;
    final AtomicBoolean ran = new AtomicBoolean();

    Waiting(Set<WorkflowId> woken, Runnable task, long since) {
      ids.addAll(woken);
      this.task = task;
      this.since = since;
    }

    boolean begun(WorkflowId id) {
      return ids.remove(id) && runIfNoneIsLeft();
    }

    boolean runIfNoneIsLeft() {
      if (!ids.isEmpty() || !ran.compareAndSet(false, true)) return false;
      task.run();
      return true;
    }
  }

  /** How many were woken, and have not begun. */
  public int notBegun() {
    return wokenAt.size();
  }
}
