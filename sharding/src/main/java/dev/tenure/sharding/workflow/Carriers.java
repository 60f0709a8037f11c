package dev.tenure.sharding.workflow;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import jdk.management.VirtualThreadSchedulerMXBean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads of workflow code that loop for ever cannot be taken off their carriers. For each of them
 * the scheduler of virtual threads gets one carrier more, for as long as it loops.
 */
final class Carriers implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Carriers.class);

  /** Beyond that the node has a problem that more threads would only hide. */
  static final int SPINNERS_MAX = 64;

  private final VirtualThreadSchedulerMXBean scheduler =
      ManagementFactory.getPlatformMXBean(VirtualThreadSchedulerMXBean.class);
  private final List<Thread> spinners = new ArrayList<>();

  /** The thread was given up; it may be spinning. */
  synchronized void abandon(Thread thread) {
    reclaim();
    // Whatever it waits for ends with this; a loop does not notice.
    thread.interrupt();
    if (spinners.size() >= SPINNERS_MAX) {
      log.error(
          "{} threads of workflow code loop for ever; this node needs a restart", SPINNERS_MAX);
      return;
    }
    spinners.add(thread);
    scheduler.setParallelism(scheduler.getParallelism() + 1);
  }

  /** Gives back what threads needed that have come to an end after all. */
  synchronized void reclaim() {
    for (Iterator<Thread> each = spinners.iterator(); each.hasNext(); ) {
      if (each.next().isAlive()) continue;
      each.remove();
      scheduler.setParallelism(scheduler.getParallelism() - 1);
    }
  }

  synchronized int spinners() {
    reclaim();
    return spinners.size();
  }

  @Override
  public synchronized void close() {
    reclaim();
  }
}
