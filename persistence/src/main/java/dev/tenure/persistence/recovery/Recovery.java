package dev.tenure.persistence.recovery;

import dev.tenure.workflow.WorkflowId;
import java.util.OptionalInt;

/**
 * A workflow that was at work when its node was lost, and has committed nothing of its own since.
 *
 * @param losses how many nodes were lost that way
 * @param alone how many of them while it was tried alone
 * @param company how many were tried together, at least, when a node was lost over it
 */
public record Recovery(
    WorkflowId workflow, int shard, long epoch, int losses, int alone, OptionalInt company) {}
