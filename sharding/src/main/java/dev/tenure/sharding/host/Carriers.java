package dev.tenure.sharding.host;

import dev.tenure.sharding.code.CarrierProbe;
import dev.tenure.sharding.pool.CodeThreads;
import dev.tenure.sharding.program.BusyTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds carriers for virtual threads. A thread that computes cannot be taken off its carrier. For
 * each thread of workflow code that loops for ever there is one carrier more, for as long as it
 * loops; and one more whenever no thread got a carrier for a while, because steps keep them all.
 */
public final class Carriers implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Carriers.class);

  /**
   * The limit. With more endless loops than this the node needs a restart, and more carriers would
   * hide that.
   */
  static final int SPINNERS_MAX = 64;

  /** How long threads may wait for a carrier before one is added. */
  static final Duration STARVED_MAX = Duration.ofMillis(500);

  /** How long two carriers must be idle before an added one is removed. */
  private static final Duration IDLE_MIN = Duration.ofSeconds(1);

  private final CodeThreads threads;
  private final List<Thread> spinners = new ArrayList<>();
  private final CarrierProbe probe;
  private long lookedAt;
  private long starvedNanos;
  private long idleNanos;
  private int added;

  Carriers(CodeThreads threads) {
    this.threads = threads;
    this.probe = new CarrierProbe(threads);
  }

  /**
   * Called at regular intervals.
   *
   * @return whether threads that could run have got a carrier since the last call
   */
  synchronized boolean look(long now) {
    boolean moves = probe.look();
    long gap = Math.min(now - lookedAt, BusyTime.GAP_NANOS_MAX);
    lookedAt = now;
    if (moves) {
      starvedNanos = 0;
      giveBack(gap);
      return true;
    }
    starvedNanos += gap;
    if (starvedNanos >= STARVED_MAX.toNanos() && added + spinners.size() < SPINNERS_MAX) {
      starvedNanos = 0;
      added++;
      threads.allow(1);
      log.warn(
          "No thread of a workflow could run for {} ms: steps or other code compute without a"
              + " pause. The node uses {} more threads.",
          STARVED_MAX.toMillis(),
          added);
    }
    return false;
  }

  /** Removes an added carrier when another one would still be idle. */
  private void giveBack(long gap) {
    if (added == 0) return;
    idleNanos = threads.free() >= 2 ? idleNanos + gap : 0;
    if (idleNanos < IDLE_MIN.toNanos()) return;
    idleNanos = 0;
    added--;
    threads.allow(-1);
  }

  /** The owner has given the thread up; it may loop for ever. */
  public synchronized void abandon(Thread thread) {
    reclaim();
    // An interrupt ends a wait of the thread. A loop does not notice it.
    thread.interrupt();
    if (spinners.size() >= SPINNERS_MAX) {
      log.error(
          "{} threads of workflow code loop for ever; this node needs a restart", SPINNERS_MAX);
      return;
    }
    spinners.add(thread);
    threads.allow(1);
  }

  /** Removes the carriers that were added for threads which have ended after all. */
  synchronized void reclaim() {
    for (Iterator<Thread> each = spinners.iterator(); each.hasNext(); ) {
      if (each.next().isAlive()) continue;
      each.remove();
      threads.allow(-1);
    }
  }

  public synchronized int spinners() {
    reclaim();
    return spinners.size();
  }

  @Override
  public synchronized void close() {
    reclaim();
    threads.allow(-added);
    added = 0;
  }
}
