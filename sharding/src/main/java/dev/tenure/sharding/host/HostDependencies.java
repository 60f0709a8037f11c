package dev.tenure.sharding.host;

import dev.tenure.persistence.merging.SignalIntake;
import dev.tenure.sharding.activity.Activities;
import dev.tenure.sharding.branch.ExecutionGate;
import dev.tenure.sharding.deployment.ClusterCode;
import dev.tenure.sharding.pool.CodeThreads;
import dev.tenure.sharding.recovery.Suspects;
import dev.tenure.workflow.kernel.Kernel;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What a host gets its work done with. On a node these are threads and timers; elsewhere whoever
 * turns the clock brings others, and the rules of a workflow's life stay the same.
 *
 * @param nanos a clock that only measures, as {@link System#nanoTime}
 * @param reading where the store is asked for what people want to see
 * @param futures what those wait for who asked
 * @param signals where signals are accepted that no owner takes itself
 * @param answers where what follows the answer to a signal runs
 * @param code what the nodes of the cluster have, as far as this one knows
 * @param threads what the code of workflows runs on
 * @param close ends what runs
 */
public record HostDependencies(
    Kernel kernel,
    Timers timers,
    LongSupplier nanos,
    Executor reading,
    Futures futures,
    ExecutionGate pace,
    SignalIntake signals,
    Executor answers,
    InboxReads inboxes,
    CodeThreads threads,
    Activities activities,
    Suspects suspects,
    Supplier<ClusterCode> code,
    Runnable close) {}
