package dev.tenure.sharding.code;

import dev.tenure.sharding.branch.ExecutionGate;
import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.sharding.pool.CodeThreads;
import dev.tenure.workflow.WorkflowRegistration;
import java.time.InstantSource;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/**
 * The code that a {@link CodeProgram} runs, with its dependencies.
 *
 * @param newest gives the version of the next run when a run continues as new
 * @param spinning gets the threads that were given up and keep computing
 */
public record CodeSetting(
    WorkflowRegistration<?> workflow,
    String threadName,
    PayloadCodec codec,
    InstantSource clock,
    ExecutionGate gate,
    Interceptors interceptors,
    IntSupplier newest,
    CodeThreads threads,
    Consumer<Thread> spinning) {
  public CodeSetting(
      WorkflowRegistration<?> workflow,
      String name,
      PayloadCodec codec,
      InstantSource clock,
      ExecutionGate gate,
      CodeThreads threads) {
    this(
        workflow,
        name,
        codec,
        clock,
        gate,
        Interceptors.NONE,
        workflow.type()::version,
        threads,
        Thread::interrupt);
  }
}
