package dev.tenure.workflow.collation;

import dev.tenure.workflow.collation.Violation.JobClosed;
import dev.tenure.workflow.collation.Violation.NotTheCloser;
import dev.tenure.workflow.collation.Violation.OutOfOrder;
import java.util.Optional;

/**
 * The message that creates a job, on its way through the trigger. Its first step creates the job,
 * its semaphore and the message's ledger in one commit, so the ledger proves whose job it is.
 *
 * <pre>
 *   000010000000000   after step 1, the job exists
 *   000011000000000   after step 2, its children are published
 *   000011100000000   after step 3, when it has nothing to wait for
 * </pre>
 *
 * The trigger's activity ledger is {@link ActivityLedger#TRIGGER} throughout.
 *
 * @param children how many obligations the job was opened with
 */
public record Inception(int children, GuidLedger guid, JobSemaphore semaphore) {

  public Inception {
    if (children < 0)
      throw new IllegalArgumentException("children is " + children + ": count them from 0.");
    if (guid.ordinal() != 0 || !guid.workDone() || guid.jobClosed())
      throw new CorruptLedgerError("GUID ledger", guid, "no trigger writes such a one");
  }

  /** Step 1: the job, its semaphore and the proof of who made it are one commit. */
  public static Inception create(int children) {
    return create(children, 0);
  }

  /** Step 1 for a job that is complete while so many obligations are still open. */
  public static Inception create(int children, long threshold) {
    return new Inception(
        children, new GuidLedger(GuidLedger.WORK), JobSemaphore.opened(children, threshold));
  }

  /**
   * What a start message finds to do.
   *
   * @param job the semaphore of the job of that id, empty when there is none
   * @param guid the message's ledger, empty when it never created anything
   */
  public static Reentry arrive(
      Optional<JobSemaphore> job, Optional<GuidLedger> guid, int children) {
    if (job.isEmpty() && guid.isEmpty()) return Reentry.STEP1;
    if (job.isEmpty())
      throw new CorruptLedgerError("GUID ledger", guid.get(), "its job does not exist");
    // The job belongs to another message. Nothing is recorded, or a replay of the duplicate would
    // // read as one of that message.
    if (guid.isEmpty()) return Reentry.ACKNOWLEDGE;
    return new Inception(children, guid.get(), job.get()).next();
  }

  /** What remains to be done. */
  public Reentry next() {
    if (guid.completionDone()) return Reentry.ACKNOWLEDGE;
    if (guid.childrenSpawned())
      return isImmediatelyComplete() ? Reentry.STEP3 : Reentry.ACKNOWLEDGE;
    // An interrupt may have closed the job before its children were published.
    return semaphore.isActive() || isImmediatelyComplete() ? Reentry.STEP2 : Reentry.ACKNOWLEDGE;
  }

  /** Whether the job was complete when it was opened, which makes the trigger its closer (I11). */
  public boolean isImmediatelyComplete() {
    return children <= semaphore.threshold();
  }

  /** Step 2: state, statistics and the children, whose number the semaphore already holds. */
  public Mark<Inception> publish() {
    if (guid.childrenSpawned()) return Mark.alreadyRecorded(this);
    if (!semaphore.isActive() && !isImmediatelyComplete()) return Mark.refused(new JobClosed());
    return Mark.recorded(new Inception(children, guid.publishOfTrigger(), semaphore));
  }

  /** Step 3: the completion tasks of a job that had nothing to wait for. */
  public Mark<Inception> completeJob() {
    if (guid.completionDone()) return Mark.alreadyRecorded(this);
    if (!guid.childrenSpawned())
      return Mark.refused(new OutOfOrder(Marker.COMPLETION, Marker.CHILDREN));
    if (!isImmediatelyComplete()) return Mark.refused(new NotTheCloser());
    return Mark.recorded(new Inception(children, guid.completionOfTrigger(), semaphore));
  }
}
