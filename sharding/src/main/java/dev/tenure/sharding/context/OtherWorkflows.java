package dev.tenure.sharding.context;

import dev.tenure.sharding.branch.BranchScheduler;
import dev.tenure.sharding.branch.OperationIdSequence;
import dev.tenure.sharding.branch.PendingOperation;
import dev.tenure.sharding.branch.WorkflowThread;
import dev.tenure.workflow.ChildCall;
import dev.tenure.workflow.ChildFailedException;
import dev.tenure.workflow.ChildHandle;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.SignalDefinition;
import dev.tenure.workflow.TypeRef;
import dev.tenure.workflow.UndeliverableException;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.operation.MessageContent;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;
import java.lang.reflect.Type;
import java.util.Optional;

/** Calls of the context that reach other workflows: children, signals and cancellations. */
final class OtherWorkflows {
  static final String CANCELLED = "tenure.Cancelled";
  static final String TERMINATED = "tenure.Terminated";

  private final BranchScheduler scheduler;
  private final Calls calls;

  OtherWorkflows(BranchScheduler scheduler, Calls calls) {
    this.scheduler = scheduler;
    this.calls = calls;
  }

  /**
   * The receiver of a signal: the workflow that has the id, or only the child that this operation
   * started.
   */
  record SignalTarget(WorkflowId id, Optional<OperationId> child) {
    static SignalTarget of(WorkflowId id) {
      return new SignalTarget(id, Optional.empty());
    }
  }

  <T> ChildHandle<T> child(ChildCall<T> call) {
    WorkflowThread me = scheduler.actor();
    me.scope.throwIfCancelled();
    OperationId id = me.ids.next(OperationIdSequence.keyed("child:" + call.type(), call.key()));
    WorkflowId child =
        call.id().isPresent() ? WorkflowId.of(call.id().get()) : ChildIds.of(scheduler.start(), id);
    Payload input =
        calls.write(call.input().orElse(null), call.inputType(), "the input of child " + child);
    PendingChild<T> pending =
        new PendingChild<>(
            scheduler,
            id,
            me.scope,
            outcome -> childResult(child, call.result(), outcome),
            child,
            this);
    scheduler.schedule(
        pending,
        new OperationSpec.Child(
            child,
            call.type(),
            call.version(),
            input,
            call.onParentClose(),
            call.executionTimeout(),
            call.attributes(),
            call.policy()));
    return pending;
  }

  private <T> T childResult(WorkflowId child, TypeRef<T> type, Outcome outcome) {
    String what = "Child " + child;
    return switch (outcome) {
      case Outcome.Succeeded(Payload value) ->
          calls.read(value, type, "the result of child " + child);
      case Outcome.Failed(Failure failure) -> throw new ChildFailedException(what, failure);
      case Outcome.Cancelled(String reason) ->
          throw new ChildFailedException(what, Failure.permanent(CANCELLED, reason));
      case Outcome.Terminated(String reason) ->
          throw new ChildFailedException(what, Failure.permanent(TERMINATED, reason));
      case Outcome.TimedOut(String why) ->
          throw new ChildFailedException(what, Failure.permanent(Failure.TIMEOUT, why));
    };
  }

  void signal(SignalTarget target, String signal, Object payload) {
    signal(target, signal, payload, Optional.empty());
  }

  <T> void signal(SignalTarget target, SignalDefinition<T> signal, T payload) {
    signal(target, signal.name(), payload, Optional.of(signal.payload().type()));
  }

  private void signal(SignalTarget target, String signal, Object payload, Optional<Type> type) {
    Payload written = calls.write(payload, type, "the payload of signal " + signal);
    var content = new MessageContent.Signal(signal, written, target.child());
    message(target.id(), "signal:" + signal, content).get();
  }

  void cancel(WorkflowId target, String reason) {
    message(target, "cancel", new MessageContent.Cancel(reason)).get();
  }

  private PendingOperation<Void> message(WorkflowId target, String name, MessageContent content) {
    WorkflowThread me = scheduler.actor();
    return calls.open(
        me,
        me.ids.next("send:" + name),
        new OperationSpec.Message(target, content),
        outcome -> {
          if (outcome instanceof Outcome.Failed(Failure failure))
            throw new UndeliverableException("Workflow " + target, failure);
          return null;
        });
  }
}
