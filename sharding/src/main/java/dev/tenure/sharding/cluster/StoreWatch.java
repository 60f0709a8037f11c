package dev.tenure.sharding.cluster;

import dev.tenure.persistence.loss.LossReport;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.persistence.watch.LossWatch;
import dev.tenure.sharding.lease.Tenures;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks every few seconds whether the store still has what it acknowledged to this node. When it
 * does not, the node gives its shards up: their owners remember a past that is gone, and begin anew
 * with what stands.
 *
 * <p>It has a thread of its own, because the store blocks.
 */
final class StoreWatch implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(StoreWatch.class);
  private static final Duration LOOK_EVERY = Duration.ofSeconds(2);

  /** The reports of all nodes, also of those that are gone. */
  private static final int LOOKS_PER_READING = 15;

  private final LossWatch watch;
  private final Tenures tenures;
  private final ScheduledThreadPoolExecutor thread;
  private volatile List<LossReport> reports = List.of();
  private int looks;

  StoreWatch(LossWatch watch, Tenures tenures, String system) {
    this.watch = watch;
    this.tenures = tenures;
    this.thread =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name(system + "-store-watch").factory());
  }

  void start() {
    thread.scheduleWithFixedDelay(this::turn, 0, LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** The reports that an operator has not removed, the oldest first. */
  List<LossReport> reports() {
    return reports;
  }

  private void turn() {
    try {
      boolean lost = watch.look().isPresent();
      if (lost) tenures.giveUpAll("the store has lost what it had acknowledged");
      if (lost || looks++ % LOOKS_PER_READING == 0) reports = watch.losses().reports();
    } catch (StorageException e) {
      log.debug("the reports of losses could not be read: {}", e.getMessage());
    } catch (RuntimeException | Error e) {
      // What is thrown here would end the looks.
      log.error("looking whether the store has lost something failed, and is tried again", e);
    }
  }

  @Override
  public void close() {
    thread.shutdown();
  }
}
