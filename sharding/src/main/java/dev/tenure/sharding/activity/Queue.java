package dev.tenure.sharding.activity;

import java.util.ArrayDeque;
import java.util.Deque;

/** So many at once, each on a virtual thread of its own; so many more wait; the rest is refused. */
final class Queue {
  private final Activities.Threads threads;
  private final String name;
  private final int runningMax;
  private final int waitingMax;
  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private int running;
  private long started;

  Queue(String name, int runningMax, int waitingMax, Activities.Threads threads) {
    this.threads = threads;
    this.name = name;
    this.runningMax = runningMax;
    this.waitingMax = waitingMax;
  }

  synchronized boolean offer(Runnable task) {
    if (running < runningMax) {
      running++;
      start(task);
      return true;
    }
    if (waiting.size() >= waitingMax) return false;
    waiting.add(task);
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
    Runnable task = waiting.poll();
    if (task == null) running--;
    else start(task);
  }
}
