package dev.tenure.sharding.retention;

import dev.tenure.persistence.bulk.BulkOperations;
import dev.tenure.persistence.snapshot.Snapshots;
import dev.tenure.persistence.start.StartKeys;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.StorageException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes rows that no request can ask for any more: answers to signals whose retention is over,
 * keys of starts without a workflow, bulk orders that are long finished, snapshots of closed
 * workflows. It works in small batches, each a transaction of its own that skips rows which other
 * transactions have locked, so no commit and no acceptance of a signal waits for it.
 *
 * <p>One node of a cluster does it. For a while two nodes may each believe that they lead: then
 * both do it, which costs statements and does no harm.
 */
public final class Janitor implements AutoCloseable {
  /** What one round, or all of them, removed. */
  public record Removed(long answers, long startKeys, long bulkOrders, long snapshots) {
    static final Removed NOTHING = new Removed(0, 0, 0, 0);

    private Removed and(Removed more) {
      return new Removed(
          answers + more.answers,
          startKeys + more.startKeys,
          bulkOrders + more.bulkOrders,
          snapshots + more.snapshots);
    }
  }

  private static final Logger log = LoggerFactory.getLogger(Janitor.class);

  private final Storage storage;
  private final StartKeys startKeys;
  private final BulkOperations bulkOrders;
  private final RetentionSettings settings;
  private final BooleanSupplier leads;
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
      Removed now = round();
      if (now.equals(Removed.NOTHING)) return;
      all = all.and(now);
      log.info(
          "removed {} expired answers to signals, {} keys of starts without a workflow,"
              + " {} bulk orders, {} snapshots of closed workflows",
          now.answers,
          now.startKeys,
          now.bulkOrders,
          now.snapshots);
    } catch (StorageException e) {
      log.warn("expired rows stay until the store can be reached again: {}", e.getMessage());
    } catch (RuntimeException | Error e) {
      // What is thrown here ends the rounds, and the tables would grow without end.
      log.error("a round of removals failed, and is made again", e);
    }
  }

  private Removed round() {
    int batch = settings.batch();
    return new Removed(
        inBatches(() -> storage.signals().purgeAnswers(batch)),
        startKeys(),
        inBatches(() -> bulkOrders.purge(settings.bulkOrders(), batch)),
        snapshots());
  }

  private long inBatches(IntSupplier removal) {
    long removed = 0;
    for (int i = 0; i < RetentionSettings.BATCHES_PER_ROUND && !thread.isShutdown(); i++) {
      int now = removal.getAsInt();
      removed += now;
      if (now < settings.batch()) break;
    }
    return removed;
  }

  /**
   * Looks at some of the keys in each round, and goes on behind them in the next: nearly all have a
   * workflow and stay.
   */
  private long startKeys() {
    StartKeys.Purged purged = startKeys.purge(place, settings.batch());
    place = purged.next();
    return purged.keys();
  }

  /**
   * Looks at some of the snapshots in each round, as with the keys. Only long workflows have one.
   */
  private long snapshots() {
    Snapshots.Purged purged = storage.snapshots().purge(snapshotPlace, settings.batch());
    snapshotPlace = purged.next();
    return purged.snapshots();
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
