package dev.tenure.workflow.collation;

import dev.tenure.workflow.collation.Violation.NotTheCloser;
import dev.tenure.workflow.collation.Violation.OutOfOrder;

/**
 * How far one message has come: its place among the activity's messages, its three steps, and
 * whether it was the one that closed the job. It only rises (I9), and it alone decides a resume.
 *
 * <pre>
 *   000 1 1 1 1 00000001
 *   |   | | | | |
 *   |   | | | | +-- 8-15  ordinal: the activity's Leg2 entries when the message came (seeded once)
 *   |   | | | +---- 7     step 3, completion tasks done (+100M)
 *   |   | | +------ 6     step 2, children spawned (+1B)
 *   |   | +-------- 5     step 1, work done (+10B)
 *   |   +---------- 4     job closed by this message, set with step 2 or never (+100B)
 *   +-------------- 1-3   reserved, always 000
 * </pre>
 *
 * Ordinal 0 is a message of Leg1: it took no Leg2 entry.
 */
public record GuidLedger(long value) {
  static final long JOB_CLOSED = 100_000_000_000L;
  static final long WORK = 10_000_000_000L;
  static final long CHILDREN = 1_000_000_000L;
  static final long COMPLETION = 100_000_000L;

  /** A message of Leg1 at its first entry. */
  public static final GuidLedger LEG1 = new GuidLedger(0);

  /** What remains for a message, in one word. */
  public enum Standing {
    /** It never came before: there is no ledger. */
    UNSEEN,
    /** It entered Leg1; no step is done. */
    LEG1_SEEDED,
    /** It took a Leg2 entry; no step is done. */
    LEG2_SEEDED,
    /** Step 1 is done. */
    WORKED,
    /** Steps 1 and 2 are done, and the job went on. */
    SPAWNED,
    /** Steps 1 and 2 are done, and step 2 closed the job: step 3 is due. */
    CLOSING,
    /** All three steps are done. */
    COMPLETED
  }

  /** What step 2 changes, all of it in one commit: the message's digits and the job's semaphore. */
  public record Step2(GuidLedger guid, JobSemaphore semaphore) {}

  /** What step 3 changes, all of it in one commit. */
  public record Step3(GuidLedger guid, ActivityLedger activity) {}

  public GuidLedger {
    if (value < 0 || value >= 10 * JOB_CLOSED) throw corrupt(value, "positions 1-3 are reserved");
    long closed = value / JOB_CLOSED;
    long work = value / WORK % 10;
    long children = value / CHILDREN % 10;
    long completion = value / COMPLETION % 10;
    if ((closed | work | children | completion) > 1)
      throw corrupt(value, "positions 4-7 are 0 or 1");
    if (children > work || completion > children || closed > children)
      throw corrupt(value, "its steps are out of order");
    // A job without children is closed by its trigger, whose ledger takes no snapshot.
    if (completion > closed && value % Digits.COUNTER != 0)
      throw corrupt(value, "it completed a job that it did not close");
  }

  private static CorruptLedgerError corrupt(long value, String why) {
    return new CorruptLedgerError("GUID ledger", value, why);
  }

  /** The ledger of a message that just took a Leg2 entry, in the same commit as that entry. */
  public static GuidLedger seed(ActivityLedger afterEntry) {
    return new GuidLedger(afterEntry.leg2Entries());
  }

  public int ordinal() {
    return (int) (value % Digits.COUNTER);
  }

  /** The plane its children run in: the ordinal, less one. A message of Leg1 runs in the first. */
  public int dimension() {
    return Math.max(ordinal() - 1, 0);
  }

  public boolean jobClosed() {
    return value / JOB_CLOSED == 1;
  }

  public boolean workDone() {
    return value / WORK % 10 == 1;
  }

  public boolean childrenSpawned() {
    return value / CHILDREN % 10 == 1;
  }

  public boolean completionDone() {
    return value / COMPLETION % 10 == 1;
  }

  public Standing standing() {
    if (completionDone()) return Standing.COMPLETED;
    if (jobClosed()) return Standing.CLOSING;
    if (childrenSpawned()) return Standing.SPAWNED;
    if (workDone()) return Standing.WORKED;
    return value == 0 ? Standing.LEG1_SEEDED : Standing.LEG2_SEEDED;
  }

  /** Step 1: its work commits with this digit. */
  public Mark<GuidLedger> work() {
    if (workDone()) return Mark.alreadyRecorded(this);
    return Mark.recorded(new GuidLedger(value + WORK));
  }

  /**
   * Step 2: children, semaphore, marker and, when this message closes the job, the snapshot of that
   * edge. No other way moves a semaphore, so they cannot part (I10, I11).
   */
  public Mark<Step2> spawn(JobSemaphore semaphore, int children, Parent parent) {
    if (childrenSpawned()) return Mark.alreadyRecorded(new Step2(this, semaphore));
    if (!workDone()) return Mark.refused(new OutOfOrder(Marker.CHILDREN, Marker.WORK));
    return settle(semaphore, semaphore.move(parent.delta(children)));
  }

  /**
   * An interrupt that ends the whole job: every open obligation is written off, and the message
   * that does it takes the closing edge like any other. Its work and its step 2 are this one
   * commit.
   */
  public Mark<Step2> interruptJob(JobSemaphore semaphore) {
    if (childrenSpawned()) return Mark.alreadyRecorded(new Step2(this, semaphore));
    GuidLedger worked = workDone() ? this : new GuidLedger(value + WORK);
    return worked.settle(semaphore, semaphore.writeOff());
  }

  private Mark<Step2> settle(JobSemaphore before, Mark<JobSemaphore> moved) {
    return moved.map(
        after -> {
          long snapshot = before.edge() != after.edge() ? JOB_CLOSED : 0;
          return new Step2(new GuidLedger(value + CHILDREN + snapshot), after);
        });
  }

  /**
   * Step 3: the job's completion tasks commit with this digit, by the message whose snapshot says
   * so and by no other, in any later state of the job (I11).
   */
  public Mark<Step3> completeJob(ActivityLedger activity, ActivityKind kind) {
    if (completionDone()) return Mark.alreadyRecorded(new Step3(this, activity));
    if (!childrenSpawned()) return Mark.refused(new OutOfOrder(Marker.COMPLETION, Marker.CHILDREN));
    if (!jobClosed()) return Mark.refused(new NotTheCloser());
    GuidLedger done = new GuidLedger(value + COMPLETION);
    if (!kind.isFinalizable()) return Mark.recorded(new Step3(done, activity));
    return activity.markFinalized(kind).map(finalized -> new Step3(done, finalized));
  }

  /** A trigger's step 2: its children were counted when the semaphore was opened. */
  GuidLedger publishOfTrigger() {
    return new GuidLedger(value + CHILDREN);
  }

  /** A trigger's step 3, which needs no snapshot: it closed the job by opening it. */
  GuidLedger completionOfTrigger() {
    return new GuidLedger(value + COMPLETION);
  }

  /** The fifteen digits. */
  @Override
  public String toString() {
    return Digits.print(value);
  }
}
