/**
 * What the owner of a workflow is told, what it answers, and how both get there. {@link
 * dev.tenure.sharding.message.Message} lists all messages, {@link
 * dev.tenure.sharding.message.Answer} all answers. {@link
 * dev.tenure.sharding.message.WorkflowTransport} is the way to a workflow, whichever node owns it;
 * {@link dev.tenure.sharding.message.ReplyTo} is the way back. {@link
 * dev.tenure.sharding.message.MessageSerializer} makes bytes of both: the names of classes are not
 * part of them.
 *
 * <p>This package may use {@code wire}, {@code program} and what starts a node ({@code cluster},
 * {@code lease}). It knows no owner.
 */
package dev.tenure.sharding.message;
