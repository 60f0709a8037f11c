package dev.tenure.sharding.workflow;

import dev.tenure.persistence.signal.SignalIntake;
import dev.tenure.sharding.activity.Activities;
import dev.tenure.sharding.code.Pace;
import dev.tenure.sharding.recovery.Suspects;
import dev.tenure.workflow.kernel.Kernel;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * What a host gets its work done with. On a node these are threads and timers; elsewhere whoever
 * turns the clock brings others, and the rules of a workflow's life stay the same.
 *
 * @param nanos a clock that only measures, as {@link System#nanoTime}
 * @param reading where the store is asked for what people want to see
 * @param futures what those wait for who asked
 * @param close ends what runs
 */
record Fittings(
    Kernel kernel,
    Timers timers,
    LongSupplier nanos,
    Executor reading,
    Futures futures,
    Pace pace,
    SignalIntake signals,
    InboxReads inboxes,
    Activities activities,
    Suspects suspects,
    Runnable close) {}
