package dev.tenure.sharding.wake;

import dev.tenure.persistence.lease.Lease;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.persistence.visibility.Page;
import dev.tenure.persistence.visibility.PageRequest;
import dev.tenure.persistence.visibility.StoredTime;
import dev.tenure.persistence.visibility.WakeUp;
import dev.tenure.persistence.visibility.WorkflowFilter;
import dev.tenure.persistence.visibility.WorkflowRow;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Status;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for workflows that must be awake: all of a shard when the node gets it, which is crash
 * recovery; then, for all of its shards in one query, what became due. And for shards that nobody
 * holds, because no message has asked for them since their owner died.
 *
 * <p>It works on one thread of its own, because the store blocks. A scan that fails is made again.
 */
public final class WakeScanner implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(WakeScanner.class);

  static final int PAGE_ROWS = 1_000;

  /**
   * How far a scan goes back behind the last: rows are stamped by several clocks, and are seen when
   * their transaction is over.
   */
  static final Duration OVERLAP = Duration.ofSeconds(30);

  /** How often one node of the cluster looks for shards without a holder. */
  static final Duration ORPHANS_EVERY = Duration.ofSeconds(2);

  /** How often what waits for code is looked for that this node has. */
  static final Duration BLOCKED_EVERY = Duration.ofSeconds(10);

  /** What the scanner needs to know of its node. */
  public interface Node {
    Set<Integer> owned();

    int shards();

    /** The names of the workflow types whose code this node has. */
    Set<String> types();

    /** Whether this node, of all, looks for shards that nobody holds. */
    boolean leads();

    /** Whether it is in memory and at work, so that it sees by itself what is due. */
    boolean isAtWork(WorkflowId id);

    /** Brings it into memory, wherever its shard is. */
    void wake(WorkflowId id);
  }

  private final Storage storage;
  private final Node node;
  private final InstantSource clock;
  private final ScheduledThreadPoolExecutor thread;
  private Instant scannedUntil;

  public WakeScanner(Storage storage, Node node, InstantSource clock, Duration scanEvery) {
    this.storage = storage;
    this.node = node;
    this.clock = clock;
    this.scannedUntil = clock.instant();
    thread =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("tenure-wake").factory());
    thread.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
    every(scanEvery, this::scanDue);
    every(ORPHANS_EVERY, this::adoptOrphans);
    every(BLOCKED_EVERY, this::offerCode);
  }

  private void every(Duration period, Runnable task) {
    thread.scheduleWithFixedDelay(() -> quietly(task), 0, period.toNanos(), TimeUnit.NANOSECONDS);
  }

  private static boolean quietly(Runnable task) {
    try {
      task.run();
      return true;
    } catch (StorageException e) {
      log.warn("what must be awake could not be looked for: {}", e.getMessage());
    } catch (RuntimeException e) {
      // An exception would end the scans, and with them every timer and every recovery.
      log.error("a scan failed, and is made again", e);
    }
    return false;
  }

  /** The node holds this shard from now on. */
  public void acquired(int shard) {
    thread.execute(() -> scanShard(shard));
  }

  private void scanShard(int shard) {
    if (!node.owned().contains(shard)) return;
    boolean done =
        quietly(
            () ->
                scan(
                    WakeUp.Point.FIRST,
                    after -> storage.workflows().mustBeAwake(shard, after, PAGE_ROWS)));
    if (!done)
      thread.schedule(() -> scanShard(shard), ORPHANS_EVERY.toNanos(), TimeUnit.NANOSECONDS);
  }

  private interface Pages {
    List<WakeUp> after(WakeUp.Point point);
  }

  private void scan(WakeUp.Point from, Pages pages) {
    WakeUp.Point after = from;
    while (true) {
      List<WakeUp> page = pages.after(after);
      for (WakeUp row : page) if (!node.isAtWork(row.workflowId())) node.wake(row.workflowId());
      if (page.size() < PAGE_ROWS) return;
      after = page.getLast().point();
    }
  }

  private void scanDue() {
    Set<Integer> owned = node.owned();
    if (owned.isEmpty()) return;
    Instant until = clock.instant();
    WakeUp.Point from = WakeUp.Point.before(scannedUntil.minus(OVERLAP));
    scan(from, after -> storage.workflows().due(owned, after, until, PAGE_ROWS));
    scannedUntil = until;
  }

  /**
   * A shard comes up when something is sent to it. One that died with its node, with nobody to send
   * it anything, is asked for here.
   */
  private void adoptOrphans() {
    if (!node.leads()) return;
    Set<Integer> owned = node.owned();
    for (int shard = 0; shard < node.shards(); shard++) {
      if (owned.contains(shard)) continue;
      Optional<Lease> lease = storage.leases().find(shard);
      boolean held =
          lease.isPresent()
              && lease.get().holder().isPresent()
              && clock.instant().isBefore(lease.get().expiresAt());
      if (held) continue;
      // Also for what is due in years: whoever holds the shard sees to it then.
      storage
          .workflows()
          .due(Set.of(shard), WakeUp.Point.FIRST, StoredTime.LATEST, 1)
          .forEach(row -> node.wake(row.workflowId()));
    }
  }

  /** What is blocked waits for no time and no message: only a node that has its code can tell. */
  private void offerCode() {
    for (String type : node.types()) {
      WorkflowFilter blocked = WorkflowFilter.ALL.withStatus(Status.BLOCKED).withType(type);
      Optional<String> cursor = Optional.empty();
      do {
        Page<WorkflowRow> page =
            storage.workflows().list(blocked, new PageRequest(PAGE_ROWS, cursor));
        page.rows().forEach(row -> node.wake(row.id()));
        cursor = page.next();
      } while (cursor.isPresent());
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
