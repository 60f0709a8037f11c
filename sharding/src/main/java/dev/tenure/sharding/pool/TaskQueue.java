package dev.tenure.sharding.pool;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The tasks of one kind that wait for a thread, and how many of the kind run. It has no limit of
 * its own: it has one entry for each actor, virtual thread and caller that can go on, and those are
 * bounded where they are made.
 */
final class TaskQueue {
  static final int UNLIMITED = Integer.MAX_VALUE;

  private final ConcurrentLinkedQueue<Task> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicInteger running = new AtomicInteger();
  private volatile int runningMax;

  TaskQueue(int runningMax) {
    this.runningMax = runningMax;
  }

  void add(Task task) {
    tasks.add(task);
  }

  /** The next task, which counts as running from now on; null when there is none that may run. */
  Task begin() {
    if (tasks.isEmpty() || !mayBegin()) return null;
    Task task = tasks.poll();
    if (task == null) ends();
    return task;
  }

  /** Counts a task as running that was not in this queue; false when it has to wait. */
  boolean mayBegin() {
    int most = runningMax;
    if (most == UNLIMITED) return true;
    for (int now = running.get(); now < most; now = running.get())
      if (running.compareAndSet(now, now + 1)) return true;
    return false;
  }

  void ends() {
    if (runningMax != UNLIMITED) running.decrementAndGet();
  }

  boolean isEmpty() {
    return tasks.isEmpty();
  }

  /** Whether a task waits that may run. */
  boolean isReady() {
    return !tasks.isEmpty() && running.get() < runningMax;
  }

  /** The next task, also when the kind is at its limit: the caller runs it outside of the pool. */
  Task remove() {
    return tasks.poll();
  }

  int runningMax() {
    return runningMax;
  }

  /** Only for a kind that has a limit. */
  synchronized void allow(int more) {
    runningMax += more;
  }

  /** As {@link #allow}, with the whole limit instead of a difference. */
  synchronized void allowAll(int most) {
    runningMax = most;
  }

  int free() {
    return runningMax - running.get();
  }
}
