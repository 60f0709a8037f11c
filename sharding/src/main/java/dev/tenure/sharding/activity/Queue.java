package dev.tenure.sharding.activity;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Runs a limited number of attempts at once, each on a virtual thread of its own, lets a limited
 * number wait, and refuses more. The waiting workflows take turns, so that the others need not wait
 * for one with thousands of calls.
 */
final class Queue {
  private final Activities.Threads threads;
  private final String name;
  private final int runningMax;
  private final int waitingMax;

  /** By workflow; the workflow whose turn is next comes first. */
  private final Map<Object, Deque<Work>> waiting = new LinkedHashMap<>();

  private int waitingCount;
  private int running;
  private long started;

  Queue(String name, int runningMax, int waitingMax, Activities.Threads threads) {
    this.threads = threads;
    this.name = name;
    this.runningMax = runningMax;
    this.waitingMax = waitingMax;
  }

  /** What needs a place, and may give it back before it has come to its end. */
  @FunctionalInterface
  interface Work {
    void run(Runnable leaves);
  }

  /** What keeps its place as long as it runs. */
  boolean offer(Object workflow, Runnable task) {
    return offer(workflow, leaves -> task.run());
  }

  synchronized boolean offer(Object workflow, Work task) {
    if (running < runningMax) {
      running++;
      start(task);
      return true;
    }
    Deque<Work> own = waiting.get(workflow);
    // A workflow with nothing in the queue may use a reserve when others have filled the queue.
    int max = own == null ? 2 * waitingMax : waitingMax;
    if (waitingCount >= max) return false;
    if (own == null) waiting.put(workflow, own = new ArrayDeque<>(2));
    own.add(task);
    waitingCount++;
    return true;
  }

  /** How many more would run at once. */
  synchronized int room() {
    return Math.max(0, runningMax - running - waitingCount);
  }

  private void start(Work task) {
    AtomicBoolean left = new AtomicBoolean();
    Runnable leaves =
        () -> {
          if (left.compareAndSet(false, true)) next();
        };
    threads.start(
        "activity " + name + " " + started++,
        () -> {
          try {
            task.run(leaves);
          } finally {
            leaves.run();
          }
        });
  }

  private synchronized void next() {
    Iterator<Map.Entry<Object, Deque<Work>>> turns = waiting.entrySet().iterator();
    if (!turns.hasNext()) {
      running--;
      return;
    }
    Map.Entry<Object, Deque<Work>> turn = turns.next();
    Object workflow = turn.getKey();
    Deque<Work> own = turn.getValue();
    turns.remove();
    start(own.poll());
    waitingCount--;
    if (!own.isEmpty()) waiting.put(workflow, own);
  }
}
