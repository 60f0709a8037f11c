package dev.tenure.sharding.branch;

import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.workflow.StepBody;
import dev.tenure.workflow.WorkflowRegistration;
import dev.tenure.workflow.operation.Outcome;

/** The program that the branches of one run are part of, as far as they need it. */
public interface BranchHost {
  /** Reads what is recorded. */
  interface Read<T> {
    T read() throws Throwable;
  }

  BranchScheduler scheduler();

  WorkClock work();

  PayloadCodec codec();

  WorkflowRegistration<?> workflow();

  ClassLoader loader();

  int newestVersion();

  String threadName();

  /** A thread for the workflow's code, with the class loader of that code. */
  Thread thread(String name, Runnable code);

  /** The code of a step, with the interceptors around it. */
  <T> StepBody<T, ?> body(PendingStep<T> of, int attempt);

  /** A thread's own step has ended; true when the workflow's code goes on at once on it. */
  boolean stepEnded(WorkflowThread me, Attempt attempt, Outcome outcome);

  /** All branches wait, and nothing new is there for them. Called by the thread that noticed. */
  void quiet();

  /** In a replay: whether the update is on record as refused, or as failed. */
  boolean hasFailed(String updateId);

  /**
   * Reads a recorded value. If it cannot be read from the store, or not be converted, the code
   * could not handle that: this run of the code ends here, and a new one is made when the cause is
   * gone.
   */
  <T> T readOrStop(Read<T> read) throws WorkflowThreadStopped;

  /** This run of the code ends here. Throw what this returns. */
  WorkflowThreadStopped stopsAt(Throwable why);
}
