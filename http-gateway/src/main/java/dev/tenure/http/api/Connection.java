package dev.tenure.http.api;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The connection on which a request came: its sender may go away before the answer is known. */
public final class Connection {
  private final Set<Runnable> tasks = new LinkedHashSet<>();
  private boolean lost;

  /**
   * Runs the task when the sender goes away; at once when it has gone.
   *
   * @return forgets the task: a connection may outlive thousands of requests
   */
  public Runnable whenLost(Runnable task) {
    synchronized (this) {
      if (!lost) {
        // Two requests may ask for the same; each of them forgets its own.
        Runnable own = () -> task.run();
        tasks.add(own);
        return () -> forget(own);
      }
    }
    task.run();
    return () -> {};
  }

  private synchronized void forget(Runnable task) {
    tasks.remove(task);
  }

  /** The sender has gone: it gets no answer any more. */
  public void lose() {
    List<Runnable> all;
    synchronized (this) {
      lost = true;
      all = List.copyOf(tasks);
      tasks.clear();
    }
    all.forEach(Runnable::run);
  }
}
