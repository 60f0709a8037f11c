package dev.tenure.sharding.context;

import dev.tenure.sharding.branch.BranchScheduler;
import dev.tenure.sharding.branch.OutcomeReader;
import dev.tenure.sharding.branch.PendingOperation;
import dev.tenure.sharding.branch.PendingResult;
import dev.tenure.sharding.branch.Scope;
import dev.tenure.workflow.CancelledException;
import dev.tenure.workflow.ChildHandle;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.SignalDefinition;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Wish;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.util.Optional;

/** The operation of a child that was started. */
final class PendingChild<T> extends PendingOperation<T> implements ChildHandle<T> {
  private final WorkflowId child;
  private final OtherWorkflows others;
  private final Beginning beginning;
  private boolean cannotBegin;
  private boolean cancelledByCode;

  /** The result for code that waits only until the child exists. */
  private final class Beginning extends PendingResult<Void> {
    private Beginning(BranchScheduler scheduler) {
      super(scheduler);
    }

    @Override
    public Void result() throws Throwable {
      if (cannotBegin) PendingChild.this.result();
      return null;
    }

    @Override
    protected boolean mayHaveFailed() {
      return cannotBegin;
    }

    @Override
    public void cancelled(CancelledException why) {
      PendingChild.this.cancelled(why);
    }
  }

  PendingChild(
      BranchScheduler scheduler,
      OperationId id,
      Scope scope,
      OutcomeReader<T> reading,
      WorkflowId child,
      OtherWorkflows others) {
    super(scheduler, id, scope, reading);
    this.child = child;
    this.others = others;
    this.beginning = new Beginning(scheduler);
  }

  @Override
  public WorkflowId id() {
    return child;
  }

  @Override
  public void awaitStarted() {
    beginning.get();
  }

  @Override
  protected void begun() {
    if (!beginning.done()) beginning.finish();
  }

  @Override
  public void complete(Outcome came) {
    super.complete(came);
    if (beginning.done()) return;
    cannotBegin =
        came instanceof Outcome.Failed(Failure failure)
            && failure.type().equals(Failure.UNDELIVERABLE);
    beginning.finish();
  }

  @Override
  protected Wish.Abandon abandonment() {
    return new Wish.Abandon(id, cancelledByCode);
  }

  @Override
  protected void cancelledByCode(CancelledException why) {
    cancelledByCode = true;
    cancelled(why);
  }

  @Override
  public void cancelled(CancelledException why) {
    super.cancelled(why);
    if (beginning.done()) return;
    cannotBegin = true;
    beginning.finish();
  }

  @Override
  public void signal(String name, Object payload) {
    others.signal(target(), name, payload);
  }

  @Override
  public <S> void signal(SignalDefinition<S> signal, S payload) {
    others.signal(target(), signal, payload);
  }

  /**
   * The child is named by its operation, too: if another workflow has the id, the signal is not
   * delivered.
   */
  private OtherWorkflows.SignalTarget target() {
    return new OtherWorkflows.SignalTarget(child, Optional.of(id));
  }
}
