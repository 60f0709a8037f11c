package dev.tenure.workflow;

import java.io.Serializable;

/**
 * A workflow's run method, named by a reference to it: {@code Order::run}. It is never called here;
 * it says which class is meant, so that the compiler checks the input and knows the result.
 */
public sealed interface RunMethod extends Serializable {
  @FunctionalInterface
  non-sealed interface WithInput<W, I, R> extends RunMethod {
    R run(W workflow, WorkflowContext ctx, I input) throws Exception;
  }

  @FunctionalInterface
  non-sealed interface WithInputOnly<W, I> extends RunMethod {
    void run(W workflow, WorkflowContext ctx, I input) throws Exception;
  }

  @FunctionalInterface
  non-sealed interface Plain<W, R> extends RunMethod {
    R run(W workflow, WorkflowContext ctx) throws Exception;
  }

  @FunctionalInterface
  non-sealed interface Only<W> extends RunMethod {
    void run(W workflow, WorkflowContext ctx) throws Exception;
  }

  /**
   * What the class that is meant is called, takes and returns. Its objects cannot be made by it.
   */
  static WorkflowRegistration<?> describe(RunMethod reference) {
    return RunMethodReader.of(reference);
  }
}
