package dev.tenure.sharding.client;

import dev.tenure.workflow.WorkflowContext;
import java.io.Serializable;

/**
 * A workflow's run method, named by a reference to it: {@code Order::run}. It is never called here;
 * it says which class is meant, so that the compiler checks the input and knows the result.
 */
public sealed interface Run extends Serializable {
  @FunctionalInterface
  non-sealed interface WithInput<W, I, R> extends Run {
    R run(W workflow, WorkflowContext ctx, I input) throws Exception;
  }

  @FunctionalInterface
  non-sealed interface WithInputOnly<W, I> extends Run {
    void run(W workflow, WorkflowContext ctx, I input) throws Exception;
  }

  @FunctionalInterface
  non-sealed interface Plain<W, R> extends Run {
    R run(W workflow, WorkflowContext ctx) throws Exception;
  }

  @FunctionalInterface
  non-sealed interface Only<W> extends Run {
    void run(W workflow, WorkflowContext ctx) throws Exception;
  }
}
