package dev.tenure.sharding.branch;

import dev.tenure.workflow.Branch;
import dev.tenure.workflow.CancelledException;

/** A branch, and what it comes to. It belongs to the block of code that started it. */
public final class BranchHandle<T> extends PendingResult<T> {
  private final Scope starter;
  private final Scope scope;
  private final WorkflowThread strand;

  /** The strand that runs the code which started it; null when the engine did. */
  private final WorkflowThread startedBy;

  private T value;
  private Throwable failure;

  private BranchHandle(
      BranchScheduler stage,
      Scope starter,
      WorkflowThread startedBy,
      OperationIdSequence names,
      Branch<T, ?> branch) {
    super(stage);
    this.starter = starter;
    this.startedBy = startedBy;
    this.scope = starter.within();
    this.strand = new WorkflowThread(stage, names, scope, () -> run(branch));
  }

  public static <T> BranchHandle<T> start(
      WorkflowThread by, OperationIdSequence names, Branch<T, ?> branch) {
    return begin(new BranchHandle<>(by.stage, by.scope, by, names, branch));
  }

  /** Of the engine's own making, beside the workflow's own method. */
  public static <T> BranchHandle<T> beside(
      BranchScheduler stage, OperationIdSequence names, Branch<T, ?> branch) {
    return begin(new BranchHandle<>(stage, stage.root(), null, names, branch));
  }

  private static <T> BranchHandle<T> begin(BranchHandle<T> promise) {
    promise.starter.begins(promise);
    promise.stage.ready(promise.strand);
    return promise;
  }

  private void run(Branch<T, ?> branch) {
    try {
      value = strand.in(scope, branch);
    } catch (WorkflowThreadStopped end) {
      throw end;
    } catch (Throwable thrown) {
      // A machine or a build that is broken is no result, and perhaps nobody asks for it.
      if (thrown instanceof Error) stage.play.stopAtBug(thrown);
      failure = thrown;
    }
    starter.ended(this);
    finish();
  }

  /** It comes to nothing, and nobody waits for it. */
  public void forget() {
    starter.ended(this);
    scope.leave();
  }

  public WorkflowThread strand() {
    return strand;
  }

  boolean isStartedBy(WorkflowThread one) {
    return startedBy == one;
  }

  boolean isCancelled() {
    return scope.isCancelled();
  }

  @Override
  public void cancelled(CancelledException why) {
    // The branch itself decides when it is done: it may have to clean up.
    scope.cancelAll(why.getMessage());
  }

  @Override
  protected boolean mayHaveFailed() {
    return failure != null;
  }

  @Override
  public T result() throws Throwable {
    if (failure != null) throw failure;
    return value;
  }
}
