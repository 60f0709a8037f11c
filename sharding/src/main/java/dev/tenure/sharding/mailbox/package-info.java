/**
 * Holds what waits for the owner of one workflow: messages ({@link
 * dev.tenure.sharding.mailbox.PendingMessages}), results of steps, activities and other workflows
 * ({@link dev.tenure.sharding.mailbox.IncomingResults}), and signals in the store ({@link
 * dev.tenure.sharding.mailbox.Inbox}).
 *
 * <p>This package may use {@code host}, {@code message} and {@code owner}. It decides nothing;
 * {@code run} takes the messages out.
 */
package dev.tenure.sharding.mailbox;
