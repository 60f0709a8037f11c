/**
 * The branches of one run of a workflow's code, and how they take turns. {@link
 * dev.tenure.sharding.branch.BranchScheduler} lets one {@link
 * dev.tenure.sharding.branch.WorkflowThread} run at a time. A branch waits for a {@link
 * dev.tenure.sharding.branch.PendingResult}: that of an operation, one of {@link
 * dev.tenure.sharding.branch.PendingOperations}, or of another branch. {@link
 * dev.tenure.sharding.branch.Scope} is the block of code that owns them. {@link
 * dev.tenure.sharding.branch.ReplayRecord} is what a replay has on record. {@link
 * dev.tenure.sharding.branch.BranchHost} is what the branches need of the program around them.
 *
 * <pre>
 *      news ----> BranchScheduler ----------- nothing can go on: quiet ----> BranchHost
 *                   |          ^                                              (wishes out)
 *       completes   |          |  waits for
 *                   v          |
 *             PendingResult -- wakes --> WorkflowThread: runs the code of one branch
 * </pre>
 *
 * <p>This package may use {@code payload}. It uses neither the context that code calls nor the
 * owner.
 */
package dev.tenure.sharding.branch;
