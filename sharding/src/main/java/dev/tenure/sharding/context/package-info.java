/**
 * The context that the code of a workflow calls. {@link dev.tenure.sharding.context.CodeContext} is
 * the context that it gets; {@link dev.tenure.sharding.context.Calls} makes operations of its
 * calls, and {@link dev.tenure.sharding.context.OtherWorkflows} of those to other workflows; {@link
 * dev.tenure.sharding.context.WorkflowInvoker} calls the workflow's method, its update handlers and
 * its queries.
 *
 * <p>This package may use {@code branch}, {@code payload} and {@code program}.
 */
package dev.tenure.sharding.context;
