package dev.tenure.simulation;

import dev.tenure.sharding.host.OwnerLimits;
import dev.tenure.workflow.kernel.KernelLimits;

/**
 * The limits of a life: how much its owners take at once, and how much a workflow may hold.
 *
 * @param storedPrograms how many of a kind a node has in memory
 */
record LifeLimits(OwnerLimits owner, KernelLimits kernel, int storedPrograms) {}
