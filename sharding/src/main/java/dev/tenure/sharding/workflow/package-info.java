/**
 * The requests to workflows, from any node. {@link dev.tenure.sharding.workflow.Workflows} has a
 * method for each request, {@link dev.tenure.sharding.workflow.WorkflowError} says why one was not
 * carried out. Reads that need no owner go to the store: lists, histories, incidents, how a run
 * ended.
 *
 * <p>This package may use {@code host}, {@code message} and {@code program}. It knows no owner.
 */
package dev.tenure.sharding.workflow;
