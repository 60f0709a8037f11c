package dev.tenure.sharding.code;

import dev.tenure.workflow.CancelledException;
import dev.tenure.workflow.operation.Outcome;

/** How a run comes to its end: when its branches and its update handlers have. */
final class RunEnd {
  private RunEnd() {}

  /** The workflow's own method is over, and came to this. */
  static void finish(Strand main, Outcome outcome) {
    Stage stage = main.stage;
    stage.handlers.close();
    stage.root().close(main, "The workflow's own method is over.");
    stage.finish(outcome);
  }

  /**
   * The method wants to continue as new. A cancellation that comes before the branches are over is
   * thrown here, where the code can still undo what it did.
   */
  static void beforeNext(Strand main) {
    Stage stage = main.stage;
    stage.handlers.close();
    try {
      main.scope.closeAll(main, "The workflow continues as new.");
      stage.root().throwIfCancelled();
    } catch (CancelledException meanwhile) {
      stage.handlers.reopen(meanwhile);
      throw meanwhile;
    }
  }
}
