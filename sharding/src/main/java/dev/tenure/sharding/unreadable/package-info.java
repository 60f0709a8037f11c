/**
 * Workflows whose history cannot be read. {@link dev.tenure.sharding.unreadable.Unreadable} stands
 * in for the owner: it raises an incident, refuses what would need the history, lets people
 * terminate the workflow ({@link dev.tenure.sharding.unreadable.TerminationWithoutOwner}) and tells
 * its parent ({@link dev.tenure.sharding.unreadable.ParentOfUnreadable}) and its children ({@link
 * dev.tenure.sharding.unreadable.ChildrenOfUnreadable}). A workflow that was terminated so stays
 * terminated: its history is sealed.
 *
 * <p>This package may use {@code commit}, {@code effect}, {@code host}, {@code mailbox}, {@code
 * message}, {@code owner} and {@code wake}. It does not use {@code run}, which needs a history.
 */
package dev.tenure.sharding.unreadable;
