/**
 * The part of a node that runs workflows. {@link dev.tenure.sharding.node.WorkflowNode} puts it
 * together; {@link dev.tenure.sharding.node.WorkflowEntity} is the actor that runs one owner and
 * has its commits written; {@link dev.tenure.sharding.node.HistoryReading} reads the history for
 * it.
 *
 * <p>This package may use every other one. None uses it.
 */
package dev.tenure.sharding.node;
