package dev.tenure.sharding.branch;

import java.util.ArrayList;
import java.util.List;

/**
 * One thread's wait for many results. The thread is woken for the last of them, and for each that
 * failed.
 */
final class AllOfWaiter implements PendingResult.Waiter {
  private final WorkflowThread thread;
  private final List<? extends PendingResult<?>> all;
  private final List<PendingResult<?>> suspects = new ArrayList<>();
  private int missing;

  AllOfWaiter(WorkflowThread thread, List<? extends PendingResult<?>> all) {
    this.thread = thread;
    this.all = all;
    for (PendingResult<?> awaited : all) {
      if (!awaited.done()) {
        missing++;
        awaited.addWaiting(this);
      } else if (awaited.mayHaveFailed()) suspects.add(awaited);
    }
  }

  @Override
  public void done(PendingResult<?> awaited) {
    missing--;
    if (awaited.mayHaveFailed()) suspects.add(awaited);
    if (missing == 0 || !suspects.isEmpty()) thread.scheduler.ready(thread);
  }

  /** Whether all results are there. Throws the exception of the first that failed. */
  boolean isComplete() throws Throwable {
    for (PendingResult<?> suspect : List.copyOf(suspects)) suspect.result();
    suspects.clear();
    return missing == 0;
  }

  void leave() {
    for (PendingResult<?> awaited : all) awaited.removeWaiting(this);
  }
}
