package dev.tenure.simulation;

import dev.tenure.sharding.host.OwnerLimits;
import dev.tenure.workflow.kernel.KernelLimits;

/**
 * The limits of a life.
 *
 * @param owner how much its owners take at once
 * @param kernel how much a workflow may hold
 * @param storedPrograms how many of a kind a node has in memory
 * @param looksSeldom whether its nodes look for due rows once an hour only. Then workflows that
 *     wait stay in memory, and have to move without that.
 */
record LifeLimits(
    OwnerLimits owner, KernelLimits kernel, int storedPrograms, boolean looksSeldom) {}
