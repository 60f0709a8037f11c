package dev.tenure.workflow.kernel;

import dev.tenure.workflow.collation.ActivityLedger;
import dev.tenure.workflow.collation.GuidLedger;
import dev.tenure.workflow.collation.JobSemaphore;

/**
 * The integers as one message left them, committed with what it did.
 *
 * @param activity of the operation that the message belongs to, or of the run itself
 * @param guid the message's own
 * @param semaphore the workflow's open obligations
 */
public record Digits(ActivityLedger activity, GuidLedger guid, JobSemaphore semaphore) {
  /**
   * Whether they write every obligation off at once. Such an interrupt answers nothing, so it has
   * no ordinal.
   */
  boolean writesOff() {
    return guid.jobClosed() && guid.ordinal() == 0;
  }

  /** Placeholder while the consequences of a message are not known yet. Never committed. */
  static final Digits UNDECIDED =
      new Digits(ActivityLedger.NEW, GuidLedger.LEG1, JobSemaphore.of(0));
}
