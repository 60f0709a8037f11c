package dev.tenure.workflow;

/** The part of the context that reaches other workflows. */
// A reference to a run method fits one of the overloads: it returns something or it does not.
@SuppressWarnings("overloads")
public interface WorkflowChildren {
  /**
   * Starts a workflow and waits for its result. When it does not complete, this throws {@link
   * ChildFailedException}.
   */
  <T> T child(ChildCall<T> call);

  default <T> T child(Class<?> workflow, String id, Object input, Class<T> result) {
    return child(ChildCall.to(workflow, result).id(id).input(input));
  }

  default <T> T child(String type, String id, Object input, Class<T> result) {
    return child(ChildCall.to(type, result).id(id).input(input));
  }

  /**
   * As {@link #child(ChildCall)}: {@code ctx.child(Order::run, "order-17", place)}. The compiler
   * checks the input and knows the result; the input is written as run declares it.
   */
  default <W, I, T> T child(RunMethod.WithInput<W, I, T> run, String id, I input) {
    return child(ChildCall.to(run, input).id(id));
  }

  default <W, I> void child(RunMethod.WithInputOnly<W, I> run, String id, I input) {
    child(ChildCall.to(run, input).id(id));
  }

  default <W, T> T child(RunMethod.Plain<W, T> run, String id) {
    return child(ChildCall.to(run).id(id));
  }

  default <W> void child(RunMethod.Only<W> run, String id) {
    child(ChildCall.to(run).id(id));
  }

  /** Starts a workflow that runs while the code does other things. */
  <T> ChildHandle<T> childAsync(ChildCall<T> call);

  default <W, I, T> ChildHandle<T> childAsync(
      RunMethod.WithInput<W, I, T> run, String id, I input) {
    return childAsync(ChildCall.to(run, input).id(id));
  }

  default <W, I> ChildHandle<Void> childAsync(
      RunMethod.WithInputOnly<W, I> run, String id, I input) {
    return childAsync(ChildCall.to(run, input).id(id));
  }

  default <W, T> ChildHandle<T> childAsync(RunMethod.Plain<W, T> run, String id) {
    return childAsync(ChildCall.to(run).id(id));
  }

  default <W> ChildHandle<Void> childAsync(RunMethod.Only<W> run, String id) {
    return childAsync(ChildCall.to(run).id(id));
  }

  /**
   * Signals any workflow. Returns once the signal is durably accepted; throws {@link
   * UndeliverableException} when there is no such workflow or it has ended.
   */
  void signalWorkflow(WorkflowId target, String signal, Object payload);

  /** As {@link #signalWorkflow(WorkflowId, String, Object)}, checked by the compiler. */
  <T> void signalWorkflow(WorkflowId target, SignalDefinition<T> signal, T payload);

  /** Asks any workflow to cancel. */
  void cancelWorkflow(WorkflowId target, String reason);
}
