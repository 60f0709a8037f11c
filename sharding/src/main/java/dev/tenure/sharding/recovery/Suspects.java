package dev.tenure.sharding.recovery;

import dev.tenure.persistence.recovery.Recovery;
import dev.tenure.workflow.WorkflowId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToIntFunction;

/**
 * Of the shards that this node holds, the workflows that were at work when a node was lost and made
 * no progress since. Filled before the first of a shard's workflows is taken up; empty as long as
 * no node is lost.
 */
public final class Suspects {
  /** What the owner of a workflow may do. */
  public enum Leave {
    GO_ON,
    /** It must wait: it is told when it may go on. */
    WAIT,
    STAND_STILL
  }

  /** How long after the loss of a node each start costs one more commit. */
  public static final Duration WARY = Duration.ofMinutes(10);

  private record Entry(Recovery recovery, Suspicion suspicion, boolean tried) {}

  private final Map<WorkflowId, Entry> entries = new ConcurrentHashMap<>(1);

  /** The workflows whose rows say that no owner could own them. */
  private final Set<WorkflowId> unreadable = ConcurrentHashMap.newKeySet(1);

  /** The shards whose losses are being counted: all of their workflows wait. */
  private final Set<Integer> uncounted = ConcurrentHashMap.newKeySet(1);

  /** The workflows of these shards that have an owner which waits. */
  private final Set<WorkflowId> waiting = ConcurrentHashMap.newKeySet(1);

  private final ToIntFunction<WorkflowId> shardOf;

  private volatile OptionalLong waryUntil = OptionalLong.empty();

  /**
   * @param shardOf the shard that a workflow belongs to
   */
  public Suspects(ToIntFunction<WorkflowId> shardOf) {
    this.shardOf = shardOf;
  }

  /**
   * Sets the suspects of a shard when its tenure begins; those of an earlier tenure are dropped.
   */
  public void begin(int shard, List<Recovery> recoveries) {
    entries.values().removeIf(entry -> entry.recovery.shard() == shard);
    for (Recovery one : recoveries)
      entries.put(one.workflow(), new Entry(one, Suspicion.of(one), false));
  }

  /** The tenure of a shard begins, whose losses are counted from now on until {@link #counted}. */
  void counts(int shard) {
    uncounted.add(shard);
  }

  /** The losses of the shard are counted. Returns the workflows whose owners waited for that. */
  List<WorkflowId> counted(int shard, List<Recovery> recoveries) {
    begin(shard, recoveries);
    uncounted.remove(shard);
    List<WorkflowId> told = waiting.stream().filter(id -> shardOf.applyAsInt(id) == shard).toList();
    told.forEach(waiting::remove);
    return told;
  }

  /** The shard is given back. Owners that wait are stopped with it. */
  void forget(int shard) {
    counted(shard, List.of());
  }

  private boolean isUncounted(WorkflowId id) {
    return !uncounted.isEmpty() && uncounted.contains(shardOf.applyAsInt(id));
  }

  /** Asked by an owner, which is told when it may go on. */
  public Leave leave(WorkflowId id) {
    if (isUncounted(id)) {
      waiting.add(id);
      // The count may have ended meanwhile, and have told those that waited.
      if (isUncounted(id)) return Leave.WAIT;
      waiting.remove(id);
    }
    return leaveOnceCounted(id);
  }

  private Leave leaveOnceCounted(WorkflowId id) {
    if (entries.isEmpty()) return Leave.GO_ON;
    Entry entry = entries.get(id);
    if (entry == null) return Leave.GO_ON;
    return switch (entry.suspicion) {
      case NONE -> Leave.GO_ON;
      case SUSPECT -> entry.tried ? Leave.GO_ON : Leave.WAIT;
      case CONVICTED -> Leave.STAND_STILL;
    };
  }

  /**
   * Whether no scan may wake it: {@link Trials} does, when its turn comes. Reading its history
   * alone may be what takes a node down.
   */
  public boolean isHeldBack(WorkflowId id) {
    return isUncounted(id) || leaveOnceCounted(id) != Leave.GO_ON;
  }

  /** Whether its next commit is the progress that clears it. */
  public boolean isKnown(WorkflowId id) {
    return !entries.isEmpty() && entries.containsKey(id);
  }

  public Optional<Recovery> find(WorkflowId id) {
    return Optional.ofNullable(entries.get(id)).map(Entry::recovery);
  }

  /**
   * The workflow went on, or a person decides about it from here on.
   *
   * @param epoch of its owner's tenure; a late report of an owner of an earlier tenure is ignored,
   *     because losses were counted since
   */
  public void progressed(WorkflowId id, long epoch) {
    entries.computeIfPresent(id, (known, entry) -> entry.recovery.epoch() > epoch ? entry : null);
  }

  /** Its rows say that an owner before could not own it. */
  public void noteUnreadable(WorkflowId id) {
    unreadable.add(id);
  }

  /** Whether its next owner has to say in its rows that it goes on. */
  public boolean isUnreadable(WorkflowId id) {
    return !unreadable.isEmpty() && unreadable.contains(id);
  }

  /** Its rows are true again. */
  public void forgetUnreadable(WorkflowId id) {
    unreadable.remove(id);
  }

  /** Whether the shards that are still held have workflows that were not tried yet. */
  boolean areToBeTried(java.util.function.IntPredicate held) {
    if (entries.isEmpty()) return false;
    for (Entry entry : entries.values())
      if (isToBeTried(entry) && held.test(entry.recovery.shard())) return true;
    return false;
  }

  private static boolean isToBeTried(Entry entry) {
    return entry.suspicion != Suspicion.NONE && !entry.tried;
  }

  /**
   * A node was lost. A workflow that takes its node down before its first commit would never be
   * counted. So for a while a start is committed before its code runs.
   */
  public void nodeLost(long nanos) {
    waryUntil = OptionalLong.of(nanos + WARY.toNanos());
  }

  public boolean isWary(long nanos) {
    OptionalLong until = waryUntil;
    return until.isPresent() && nanos - until.getAsLong() < 0;
  }

  /**
   * The next workflows to try, of the shards that are still held. Those that count as the cause
   * come last, each alone: their code is not run, but an owner reads them to raise their incident.
   */
  List<Recovery> next(int size, java.util.function.IntPredicate held) {
    List<Recovery> suspects = next(Suspicion.SUSPECT, size, held);
    return suspects.isEmpty() ? next(Suspicion.CONVICTED, 1, held) : suspects;
  }

  private List<Recovery> next(Suspicion suspicion, int size, java.util.function.IntPredicate held) {
    return entries.values().stream()
        .filter(entry -> isToBeTried(entry) && entry.suspicion == suspicion)
        .map(Entry::recovery)
        .filter(recovery -> held.test(recovery.shard()))
        .sorted(Suspicion.ORDER)
        .limit(size)
        .toList();
  }

  /** The workflow may go on from here, unless it was counted anew meanwhile. */
  void tries(Recovery one) {
    entries.computeIfPresent(
        one.workflow(),
        (id, entry) -> entry.recovery.equals(one) ? new Entry(one, entry.suspicion, true) : entry);
  }
}
