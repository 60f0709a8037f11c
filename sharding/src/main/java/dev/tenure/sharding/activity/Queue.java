package dev.tenure.sharding.activity;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

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
  private final Map<Object, Deque<Runnable>> waiting = new LinkedHashMap<>();

  private int waitingCount;
  private int running;
  private long started;

  Queue(String name, int runningMax, int waitingMax, Activities.Threads threads) {
    this.threads = threads;
    this.name = name;
    this.runningMax = runningMax;
    this.waitingMax = waitingMax;
  }

  synchronized boolean offer(Object workflow, Runnable task) {
    if (running < runningMax) {
      running++;
      start(task);
      return true;
    }
    Deque<Runnable> own = waiting.get(workflow);
    // A workflow with nothing in the queue may use a reserve when others have filled the queue.
    int max = own == null ? 2 * waitingMax : waitingMax;
    if (waitingCount >= max) return false;
    if (own == null) waiting.put(workflow, own = new ArrayDeque<>(2));
    own.add(task);
    waitingCount++;
    return true;
  }

  private void start(Runnable task) {
    threads.start(
        "activity " + name + " " + started++,
        () -> {
          try {
            task.run();
          } finally {
            next();
          }
        });
  }

  private synchronized void next() {
    Iterator<Map.Entry<Object, Deque<Runnable>>> turns = waiting.entrySet().iterator();
    if (!turns.hasNext()) {
      running--;
      return;
    }
    Map.Entry<Object, Deque<Runnable>> turn = turns.next();
    Object workflow = turn.getKey();
    Deque<Runnable> own = turn.getValue();
    turns.remove();
    start(own.poll());
    waitingCount--;
    if (!own.isEmpty()) waiting.put(workflow, own);
  }
}
