/**
 * The unit of which every program is made: what it is, how it is named, how it can come out.
 *
 * <p>{@link dev.tenure.workflow.operation.OperationSpec} is the room of the kinds. A new kind is a
 * record there, and a word in {@link dev.tenure.workflow.operation.OperationKind}.
 */
package dev.tenure.workflow.operation;
