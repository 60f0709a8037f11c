package dev.tenure.sharding.branch;

import dev.tenure.workflow.StepBody;
import dev.tenure.workflow.operation.OperationId;

/**
 * Knows whether code is at work. A node lets it run as it comes; whoever wants everything to happen
 * one after the other counts what begins and waits until it has ended. Called on any thread.
 */
public interface ExecutionGate {
  /** As it comes, and nobody counts. */
  ExecutionGate FREE =
      new ExecutionGate() {
        @Override
        public void begins() {}

        @Override
        public void ends() {}

        @Override
        public void attempt(Runnable begin) {
          begin.run();
        }
      };

  /**
   * What runs as a step: what the workflow's code says, unless somebody has put something else in
   * its place.
   *
   * @param workflow the workflow's id
   * @param run which of its runs asked for the step
   */
  default <T> StepBody<T, ?> body(
      String workflow, String run, OperationId step, int attempt, StepBody<T, ?> body) {
    return body;
  }

  /** Something of a workflow's code begins to run, and will report before it ends. */
  void begins();

  void ends();

  /** The code that has begun is set in motion: at once, or when whoever asked for it is done. */
  default void start(Runnable motion) {
    motion.run();
  }

  /** An attempt at a step may begin: now, or when its turn comes. */
  void attempt(Runnable begin);
}
