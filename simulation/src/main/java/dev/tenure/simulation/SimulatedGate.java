package dev.tenure.simulation;

import dev.tenure.sharding.branch.ExecutionGate;
import dev.tenure.workflow.StepBody;
import dev.tenure.workflow.operation.OperationId;

/** The loop as a gate; the world sees each run of a step, and may have it fail. */
record SimulatedGate(ExecutionGate loop, World world) implements ExecutionGate {
  @Override
  public <T> StepBody<T, ?> body(
      String workflow, String run, OperationId step, int attempt, StepBody<T, ?> body) {
    return () -> {
      world.runs(workflow, step, attempt);
      world.mayFail(workflow, step.value(), attempt);
      T result = run(body);
      world.returned(run, step, attempt, result);
      return result;
    };
  }

  private static <T, X extends Exception> T run(StepBody<T, X> body) throws X {
    return body.run();
  }

  @Override
  public void begins() {
    loop.begins();
  }

  @Override
  public void ends() {
    loop.ends();
  }

  @Override
  public void start(Runnable motion) {
    loop.start(motion);
  }

  @Override
  public void attempt(Runnable begin) {
    loop.attempt(begin);
  }
}
