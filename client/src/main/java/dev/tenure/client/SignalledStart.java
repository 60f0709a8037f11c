package dev.tenure.client;

/**
 * A workflow that was signalled, and started before where it was not there.
 *
 * @param started whether the request that was answered started it; an earlier try of the same call,
 *     whose answer was lost, may have
 */
public record SignalledStart<O>(
    WorkflowHandle<O> workflow, boolean started, SignalReceipt receipt) {}
