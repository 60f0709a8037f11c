/**
 * The integers that say where everything stands: what committed has its digit, what has no digit is
 * tried again.
 *
 * <p>{@link dev.tenure.workflow.collation.ActivityLedger} stands with each activity, {@link
 * dev.tenure.workflow.collation.GuidLedger} with each message whose steps are resumable, {@link
 * dev.tenure.workflow.collation.JobSemaphore} with each job. {@link
 * dev.tenure.workflow.collation.Transition} binds the three for one message, so that what must
 * commit together cannot be taken apart; {@link dev.tenure.workflow.collation.Inception} does so
 * for the message that creates a job. Everything here is a value; committing it, in one transaction
 * with the work it certifies, is the caller's part.
 */
package dev.tenure.workflow.collation;
