package dev.tenure.sharding.branch;

import dev.tenure.workflow.CancelledException;
import dev.tenure.workflow.kernel.News;
import dev.tenure.workflow.operation.Outcome;

/** Ends a run once its branches and its update handlers have ended. */
public final class RunEnd {
  private RunEnd() {}

  /** The workflow's method has ended with this outcome. */
  public static void finish(WorkflowThread main, Outcome outcome) {
    BranchScheduler scheduler = main.scheduler;
    scheduler.handlers.close();
    scheduler.root().close(main, "The workflow's own method is over.");
    scheduler.finish(outcome);
  }

  /**
   * The method wants to continue as new. A cancellation is thrown here when it arrived together
   * with the news before, or while the branches end. Here the code can still undo what it did.
   */
  static void beforeNext(WorkflowThread me, WorkflowThread main) {
    if (me != main)
      throw new IllegalStateException(
          "Only the workflow's own method continues as new, not a branch or a handler of it.");
    BranchScheduler scheduler = main.scheduler;
    scheduler.handlers.close();
    try {
      main.scope.closeAll(main, "The workflow continues as new.");
      awaitCancellation(main);
      scheduler.root().throwIfCancelled();
    } catch (CancelledException meanwhile) {
      scheduler.handlers.reopen(meanwhile);
      throw meanwhile;
    }
  }

  /**
   * The kernel starts no next run after a cancel request. The request is on record by now, so a
   * replay finds it here, too.
   */
  private static void awaitCancellation(WorkflowThread main) {
    Scope root = main.scheduler.root();
    root.waits(main);
    try {
      while (!root.isCancelled()
          && main.scheduler.news.stream().anyMatch(News.CancelRequested.class::isInstance))
        main.scheduler.suspend(main);
    } finally {
      root.waitsNoMore(main);
    }
  }
}
