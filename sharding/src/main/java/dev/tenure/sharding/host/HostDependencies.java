package dev.tenure.sharding.host;

import dev.tenure.persistence.merging.SignalIntake;
import dev.tenure.sharding.activity.Activities;
import dev.tenure.sharding.activity.EffectKeeper;
import dev.tenure.sharding.branch.ExecutionGate;
import dev.tenure.sharding.deployment.ClusterCode;
import dev.tenure.sharding.pool.CodeThreads;
import dev.tenure.sharding.recovery.Suspects;
import dev.tenure.sharding.task.TaskReads;
import dev.tenure.workflow.kernel.Kernel;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The threads, timers and ports of a host. The testkit and the simulation pass others than a node
 * does, and the owners stay the same.
 *
 * @param nanos a clock that only measures, as {@link System#nanoTime}
 * @param reading runs reads of the store that people ask for
 * @param futures makes the futures that clients wait for
 * @param signals accepts the signals that no owner takes itself
 * @param answers runs the sender's code for the answer to a signal
 * @param code the code that the nodes of the cluster have, as far as this one knows
 * @param threads makes the threads that the code of workflows runs on
 * @param effects records what keyed calls did whose owner cannot commit it
 * @param queues tells workers that tasks wait
 * @param tasks tells owners how their tasks stand
 * @param close stops the threads and timers
 */
public record HostDependencies(
    Kernel kernel,
    Timers timers,
    LongSupplier nanos,
    Executor reading,
    Futures futures,
    ExecutionGate gate,
    SignalIntake signals,
    Executor answers,
    InboxReads inboxes,
    CodeThreads threads,
    Activities activities,
    EffectKeeper effects,
    TaskQueues queues,
    TaskReads tasks,
    Suspects suspects,
    Supplier<ClusterCode> code,
    Runnable close) {}
