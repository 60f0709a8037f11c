/**
 * The messages to the owner of a workflow, its answers, and how both are sent. {@link
 * dev.tenure.sharding.message.Message} lists all messages, {@link
 * dev.tenure.sharding.message.Answer} all answers. {@link
 * dev.tenure.sharding.message.WorkflowTransport} sends messages to a workflow, on whichever node it
 * is; {@link dev.tenure.sharding.message.ReplyTo} sends the answer back. {@link
 * dev.tenure.sharding.message.MessageSerializer} turns both into bytes; the names of classes are
 * not part of the bytes.
 *
 * <p>This package may use {@code wire}, {@code program} and what starts a node ({@code cluster},
 * {@code lease}). It does not use owners.
 */
package dev.tenure.sharding.message;
