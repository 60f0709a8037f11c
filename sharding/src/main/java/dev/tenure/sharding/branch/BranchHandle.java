package dev.tenure.sharding.branch;

import dev.tenure.workflow.Branch;
import dev.tenure.workflow.CancelledException;

/** A branch and its result. It belongs to the block of code that started it. */
public final class BranchHandle<T> extends PendingResult<T> {
  private final Scope starter;
  private final Scope scope;
  private final WorkflowThread thread;

  /** The thread of the code that started this branch; null when the engine did. */
  private final WorkflowThread startedBy;

  private T value;
  private Throwable failure;

  private BranchHandle(
      BranchScheduler scheduler,
      Scope starter,
      WorkflowThread startedBy,
      OperationIdSequence names,
      Branch<T, ?> branch) {
    super(scheduler);
    this.starter = starter;
    this.startedBy = startedBy;
    this.scope = starter.within();
    this.thread = new WorkflowThread(scheduler, names, scope, () -> run(branch));
  }

  public static <T> BranchHandle<T> start(
      WorkflowThread by, OperationIdSequence names, Branch<T, ?> branch) {
    return begin(new BranchHandle<>(by.scheduler, by.scope, by, names, branch));
  }

  /** A branch that the engine starts beside the workflow's method, such as an update handler. */
  public static <T> BranchHandle<T> beside(
      BranchScheduler scheduler, OperationIdSequence names, Branch<T, ?> branch) {
    return begin(new BranchHandle<>(scheduler, scheduler.root(), null, names, branch));
  }

  private static <T> BranchHandle<T> begin(BranchHandle<T> handle) {
    handle.starter.begins(handle);
    handle.scheduler.ready(handle.thread);
    return handle;
  }

  private void run(Branch<T, ?> branch) {
    try {
      value = thread.in(scope, branch);
    } catch (WorkflowThreadStopped end) {
      throw end;
    } catch (Throwable thrown) {
      // An Error says that the machine or the build is broken. The code may never ask for this
      // result.
      if (thrown instanceof Error) scheduler.entryPoints.stopAtBug(thrown);
      failure = thrown;
    }
    starter.ended(this);
    finish();
  }

  /** The branch has no result, and nothing waits for it. */
  public void forget() {
    starter.ended(this);
    scope.leave();
  }

  public WorkflowThread thread() {
    return thread;
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
