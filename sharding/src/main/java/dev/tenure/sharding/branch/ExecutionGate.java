package dev.tenure.sharding.branch;

import dev.tenure.workflow.StepBody;
import dev.tenure.workflow.operation.OperationId;

/**
 * Is told when code of workflows begins and ends. A node lets all code run at once. The testkit and
 * the simulation count what runs, and wait until it has ended, so that everything happens one after
 * the other. Called on any thread.
 */
public interface ExecutionGate {
  /** Lets all code run at once, and counts nothing. */
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
   * The code that runs as a step: the workflow's own, unless a test has put other code in its
   * place.
   *
   * @param workflow the workflow's id
   * @param run which of its runs asked for the step
   */
  default <T> StepBody<T, ?> body(
      String workflow, String run, OperationId step, int attempt, StepBody<T, ?> body) {
    return body;
  }

  /** Code of a workflow begins to run. {@link #ends} follows. */
  void begins();

  void ends();

  /** Runs the code that has begun: at once, or when the caller is done. */
  default void start(Runnable motion) {
    motion.run();
  }

  /** Begins an attempt at a step: at once, or when no other code runs. */
  void attempt(Runnable begin);
}
