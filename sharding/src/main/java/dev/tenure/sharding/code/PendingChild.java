package dev.tenure.sharding.code;

import dev.tenure.workflow.ChildHandle;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.operation.OperationId;

/** A child that runs. */
final class PendingChild<T> extends Pending<T> implements ChildHandle<T> {
  private final WorkflowId child;
  private final Calls calls;

  PendingChild(
      Stage stage, OperationId id, Scope scope, Reading<T> reading, WorkflowId child, Calls calls) {
    super(stage, id, scope, reading);
    this.child = child;
    this.calls = calls;
  }

  @Override
  public WorkflowId id() {
    return child;
  }

  @Override
  public void awaitStarted() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void signal(String name, Object payload) {
    calls.signalOther(child, name, payload);
  }
}
