package dev.tenure.sharding.branch;

import dev.tenure.workflow.CancelledException;
import dev.tenure.workflow.kernel.News;
import dev.tenure.workflow.operation.Outcome;

/** How a run comes to its end: when its branches and its update handlers have. */
public final class RunEnd {
  private RunEnd() {}

  /** The workflow's own method is over, and came to this. */
  public static void finish(WorkflowThread main, Outcome outcome) {
    BranchScheduler stage = main.stage;
    stage.handlers.close();
    stage.root().close(main, "The workflow's own method is over.");
    stage.finish(outcome);
  }

  /**
   * The method wants to continue as new. A cancellation that comes before the branches are over, or
   * that arrived together with what the method was told last, is thrown here, where the code can
   * still undo what it did.
   */
  static void beforeNext(WorkflowThread me, WorkflowThread main) {
    if (me != main)
      throw new IllegalStateException(
          "Only the workflow's own method continues as new, not a branch or a handler of it.");
    BranchScheduler stage = main.stage;
    stage.handlers.close();
    try {
      main.scope.closeAll(main, "The workflow continues as new.");
      awaitCancellation(main);
      stage.root().throwIfCancelled();
    } catch (CancelledException meanwhile) {
      stage.handlers.reopen(meanwhile);
      throw meanwhile;
    }
  }

  /**
   * The kernel lets no run follow one that was asked to stop. The record has the request by now, so
   * a replay finds it here, too.
   */
  private static void awaitCancellation(WorkflowThread main) {
    Scope root = main.stage.root();
    root.waits(main);
    try {
      while (!root.isCancelled()
          && main.stage.news.stream().anyMatch(News.CancelRequested.class::isInstance))
        main.stage.rest(main);
    } finally {
      root.waitsNoMore(main);
    }
  }
}
