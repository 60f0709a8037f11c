package dev.tenure.sharding.wake;

import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.sharding.deployment.Deployments;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a node's {@link WakeScans}, each kind on a thread of its own: the store blocks, what is due
 * waits for its turn to begin, and none of that may hold up a shard that was taken over. A scan
 * that fails is made again.
 */
public final class WakeScanner implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(WakeScanner.class);

  /** How often one node of the cluster looks for shards without a holder. */
  static final Duration ORPHANS_EVERY = Duration.ofSeconds(1);

  /** How often the node looks for blocked workflows whose code it has. */
  static final Duration BLOCKED_EVERY = Duration.ofSeconds(10);

  /** How often the node looks at all that is due, and not only at what became due lately. */
  static final Duration ALL_DUE_EVERY = Duration.ofMinutes(1);

  /** What the scanner needs to know of its node. */
  public interface Node {
    Set<Integer> owned();

    int shards();

    /** Whether a blocked workflow of that type may find its program on this node. May block. */
    boolean mayHave(WorkflowType type);

    /** Whether the cluster is certain that this node is gone for good. */
    boolean isGone(Holder holder);

    /** Whether this node is the one that looks for shards without a holder. */
    boolean leads();

    /**
     * Whether the workflow is in memory and at work, so that its owner sees by itself what is due.
     */
    boolean isAtWork(WorkflowId id);

    /** Counts what was at work in these shards when nodes were lost. Blocks. */
    void countLosses(Set<Integer> shards);

    /** Whether it may have taken nodes down, and is woken by those who look after that. */
    boolean isHeldBack(WorkflowId id);

    /**
     * Waits until the node can begin another workflow. False when this one was woken a moment ago,
     * or the node ends.
     */
    boolean mayStart(WorkflowId id);

    /**
     * What decides which blocked workflows can go on here: it changes with the code of the nodes.
     */
    Object code();

    /** The workflows that wait for code, on any node. */
    void blocked(Set<Deployments.Blocked> shards);

    /** What is due in these shards, which the node took, has been woken. */
    void woken(Set<Integer> shards);

    /** As {@link #wake}, for a workflow whose rows say that an earlier owner could not own it. */
    void wakeUnreadable(WorkflowId id);

    /** Brings the workflow into memory, on the node that holds its shard. */
    void wake(WorkflowId id);
  }

  private final WakeScans scans;
  private final AtomicBoolean looksAtBlocked = new AtomicBoolean();
  private final ScheduledThreadPoolExecutor due = thread("tenure-wake-due");
  private final ScheduledThreadPoolExecutor losses = thread("tenure-wake-losses");
  private final ScheduledThreadPoolExecutor shards = thread("tenure-wake-shards");
  private final ScheduledThreadPoolExecutor orphans = thread("tenure-wake-orphans");
  private final ScheduledThreadPoolExecutor blocked = thread("tenure-wake-blocked");

  // One after the other for each shard. Nothing in it is woken before its losses are counted, and a
  // scan waits for the turns of workflows to begin. Incidents are read like the lists of callers.
  private final ShardTurns unreadable;
  private final ShardTurns awake;
  private final ShardTurns lost;

  /**
   * @param from the store's time
   */
  public WakeScanner(Storage storage, Node node, Instant from, Duration scanEvery) {
    this.scans = new WakeScans(storage, node, from, scanEvery);
    this.unreadable = turns(blocked, scans::unreadable, done -> lookAtBlockedSoon());
    this.awake = turns(shards, scans::awake, this::woken);
    this.lost = turns(losses, scans::losses, awake::add);
    every(scanEvery, Duration.ZERO, due, scans::due);
    // Each shard is scanned when it comes: there is nothing to look for yet.
    every(ALL_DUE_EVERY, ALL_DUE_EVERY, due, scans::allDue);
    every(ORPHANS_EVERY, Duration.ZERO, orphans, scans::orphans);
    every(BLOCKED_EVERY, Duration.ZERO, blocked, scans::blocked);
  }

  private static ShardTurns turns(
      ScheduledThreadPoolExecutor thread,
      Consumer<Set<Integer>> work,
      Consumer<Set<Integer>> next) {
    return new ShardTurns(
        thread, ORPHANS_EVERY, shards -> quietly(() -> work.accept(shards)), next);
  }

  private static ScheduledThreadPoolExecutor thread(String name) {
    ScheduledThreadPoolExecutor thread =
        new ScheduledThreadPoolExecutor(1, Thread.ofPlatform().daemon().name(name).factory());
    thread.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
    return thread;
  }

  private static void every(
      Duration period, Duration first, ScheduledThreadPoolExecutor thread, Runnable task) {
    thread.scheduleWithFixedDelay(
        () -> quietly(task), first.toNanos(), period.toNanos(), TimeUnit.NANOSECONDS);
  }

  private static boolean quietly(Runnable task) {
    try {
      task.run();
      return true;
    } catch (StorageException e) {
      log.warn("the scan for workflows that must be awake failed: {}", e.getMessage());
    } catch (RuntimeException | Error e) {
      // What is thrown here ends the scans, and with them every timer and every recovery.
      log.error("a scan failed, and is made again", e);
    }
    return false;
  }

  /** The node holds this shard from now on. */
  public void acquired(int shard) {
    scans.begins(shard);
    lost.add(Set.of(shard));
  }

  private void woken(Set<Integer> shards) {
    quietly(() -> scans.woken(shards));
    unreadable.add(shards);
  }

  /** After shards were acquired, and not only with the next look of all. */
  private void lookAtBlockedSoon() {
    if (looksAtBlocked.compareAndSet(false, true))
      blocked.schedule(this::lookAtBlocked, ORPHANS_EVERY.toNanos(), TimeUnit.NANOSECONDS);
  }

  private void lookAtBlocked() {
    looksAtBlocked.set(false);
    quietly(scans::blocked);
  }

  @Override
  public void close() {
    for (ScheduledThreadPoolExecutor one : List.of(due, losses, shards, orphans, blocked))
      one.shutdownNow();
  }
}
