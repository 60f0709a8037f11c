package dev.tenure.sharding.retention;

import dev.tenure.persistence.bulk.BulkOperations;
import dev.tenure.persistence.retention.Removals;
import dev.tenure.persistence.snapshot.Snapshots;
import dev.tenure.persistence.start.StartKeys;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.StorageException;
import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes rows that no request can ask for any more: answers to signals whose retention is over,
 * keys of starts without a workflow, bulk orders that are long finished, snapshots of closed
 * workflows, and closed workflows by the rules of {@link WorkflowRetention}. It also makes room for
 * the workflows that close in the next months. It works in small batches, each a transaction of its
 * own that skips rows which other transactions have locked, so no commit and no acceptance of a
 * signal waits for it. It goes on while batches are full, and warns when it cannot keep up.
 *
 * <p>One node of a cluster does it. For a while two nodes may each believe that they lead: then
 * both do it, which costs statements and does no harm.
 */
public final class Janitor implements AutoCloseable {
  /** What one round, or all of them, removed. */
  public record Removed(
      long answers, long startKeys, long bulkOrders, long snapshots, long workflows) {
    static final Removed NOTHING = new Removed(0, 0, 0, 0, 0);

    private Removed and(Removed more) {
      return new Removed(
          answers + more.answers,
          startKeys + more.startKeys,
          bulkOrders + more.bulkOrders,
          snapshots + more.snapshots,
          workflows + more.workflows);
    }
  }

  private static final Logger log = LoggerFactory.getLogger(Janitor.class);

  private final Storage storage;
  private final StartKeys startKeys;
  private final BulkOperations bulkOrders;
  private final RetentionSettings settings;
  private final BooleanSupplier leads;
  private final ClosedWorkflows closed;
  private final ScheduledThreadPoolExecutor thread;
  private StartKeys.Place place = StartKeys.Place.BEGINNING;
  private Snapshots.Place snapshotPlace = Snapshots.Place.BEGINNING;
  private volatile Removed all = Removed.NOTHING;

  /**
   * Begins at once.
   *
   * @param leads whether this node is the one that does it
   */
  public Janitor(Storage storage, RetentionSettings settings, BooleanSupplier leads) {
    this.storage = storage;
    this.startKeys = storage.startKeys();
    this.bulkOrders = storage.bulkOperations();
    this.settings = settings;
    this.leads = leads;
    closed =
        new ClosedWorkflows(
            storage.removals(),
            settings.workflows(),
            settings.idKeptFor(),
            storage::time,
            settings.batch());
    thread =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("tenure-janitor").factory());
    thread.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
    long every = settings.every().toNanos();
    thread.scheduleWithFixedDelay(this::look, every, every, TimeUnit.NANOSECONDS);
  }

  /** What this node has removed since it started. */
  public Removed removed() {
    return all;
  }

  private void look() {
    try {
      if (!leads.getAsBoolean()) return;
      makeMonths();
      Removed now = round();
      if (now.equals(Removed.NOTHING)) return;
      all = all.and(now);
      log.info(
          "removed {} expired answers to signals, {} keys of starts without a workflow,"
              + " {} bulk orders, {} snapshots of closed workflows, {} closed workflows",
          now.answers,
          now.startKeys,
          now.bulkOrders,
          now.snapshots,
          now.workflows);
    } catch (StorageException e) {
      log.warn("expired rows stay until the store can be reached again: {}", e.getMessage());
    } catch (RuntimeException | Error e) {
      // What is thrown here ends the rounds, and the tables would grow without end.
      log.error("a round of removals failed, and is made again", e);
    }
  }

  /** Without them nothing fails, so removals go on. */
  private void makeMonths() {
    try {
      storage.workflows().makeMonthsAhead();
    } catch (StorageException e) {
      log.warn("no room was made for workflows that close in the next months: {}", e.getMessage());
    }
  }

  private Removed round() {
    int batch = settings.batch();
    return new Removed(
        inBatches("expired answers to signals", () -> storage.signals().purgeAnswers(batch)),
        inBatches("keys of starts without a workflow", this::startKeys),
        inBatches("bulk orders", () -> bulkOrders.purge(settings.bulkOrders(), batch)),
        inBatches("snapshots of closed workflows", this::snapshots),
        closedWorkflows());
  }

  private long closedWorkflows() {
    long[] removed = new long[1];
    for (Duration keep : closed.times())
      inBatches(
          "closed workflows that are kept for " + keep,
          () -> {
            ClosedWorkflows.Step step = closed.step(keep);
            removed[0] += step.removed();
            return step.looked();
          });
    Removals removals = storage.removals();
    inBatches("rows of long histories", Removals.ROWS_MAX, removals::removeLeftHistory);
    inBatches("ids of removed workflows", () -> removals.forgetIds(settings.batch()));
    if (removed[0] > 0) removals.dropEmptyMonths();
    return removed[0];
  }

  private long inBatches(String what, IntSupplier removal) {
    return inBatches(what, settings.batch(), removal);
  }

  private long inBatches(String what, int batch, IntSupplier removal) {
    RemovalRound.Ended ended =
        new RemovalRound(
                batch,
                RetentionSettings.ROUND_MAX,
                System::nanoTime,
                LockSupport::parkNanos,
                thread::isShutdown)
            .run(removal);
    if (ended.isFull())
      log.warn(
          "{} {} were removed within {}, and more are left: they may come faster than they go",
          ended.rows(),
          what,
          RetentionSettings.ROUND_MAX);
    return ended.rows();
  }

  /**
   * Looks at some of the keys, and goes on behind them the next time: nearly all have a workflow
   * and stay, so nearly always that is in the next round.
   */
  private int startKeys() {
    StartKeys.Purged purged = startKeys.purge(place, settings.batch());
    place = purged.next();
    return purged.keys();
  }

  /** Looks at some of the snapshots, as with the keys. Only long workflows have one. */
  private int snapshots() {
    Snapshots.Purged purged = storage.snapshots().purge(snapshotPlace, settings.batch());
    snapshotPlace = purged.next();
    return purged.snapshots();
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
