package dev.tenure.workflow.audit;

import dev.tenure.workflow.collation.ActivityLedger;
import dev.tenure.workflow.collation.Inception;
import dev.tenure.workflow.collation.Marker;
import dev.tenure.workflow.kernel.Accounting;
import dev.tenure.workflow.kernel.Digits;
import java.util.function.Supplier;

/** Reads the integers of one workflow's messages: ledgers rise, and one message closes the job. */
final class SemaphoreAudit {
  private final Supplier<String> what;
  private Accounting accounting = Accounting.CODE;
  private int runMessages;
  private long run;
  private long semaphore;

  /** At how many open activities the job is complete. */
  private long threshold;

  private int closers;
  private long closer;

  SemaphoreAudit(Supplier<String> what) {
    this.what = what;
  }

  private void require(boolean holds, String invariant, String why) {
    if (!holds) throw new Violation(invariant, what.get() + ": " + why);
  }

  /** A run begins, and with it its own counting. */
  void begins(Accounting how, Inception inception, ActivityLedger ofRun) {
    accounting = how;
    run = ofRun.value();
    runMessages = 0;
    closers = 0;
    threshold = 0;
    semaphore = inception.semaphore().open();
    require(
        inception.guid().childrenSpawned() != how.isOfGraph(),
        "I9",
        "a trigger publishes before it knows its children");
  }

  /** A graph's trigger has asked for all its children, and may be done with that. */
  void published(Inception inception) {
    threshold = accounting.threshold();
    semaphore = inception.semaphore().open();
    require(inception.guid().childrenSpawned(), "I9", "the trigger's children are not proven");
    require(inception.children() == semaphore, "I10", "the trigger counts other children");
    if (semaphore > threshold) return;
    closers++;
    closer = inception.guid().value();
  }

  long open() {
    return semaphore;
  }

  /** Whether a message, or the trigger, has taken the semaphore to its threshold. */
  boolean isThresholdReached() {
    return closers > 0;
  }

  /** What one commit leaves behind adds up; between its events it need not. */
  void adds(long obligations) {
    require(
        semaphore == obligations,
        "I10",
        "the semaphore is " + semaphore + ", open are " + obligations);
    require(
        closers == (semaphore <= threshold ? 1 : 0),
        "I11",
        closers + " messages closed it at " + semaphore);
  }

  /** A message to the run itself takes its next ordinal, and its three steps are one commit. */
  void onRun(Digits digits) {
    require(digits.activity().value() > run, "I9", "the run's ledger does not rise");
    run = digits.activity().value();
    require(digits.activity().leg2Entries() == ++runMessages, "I9", "an ordinal is skipped");
    steps(digits, runMessages);
  }

  /**
   * The end of a run: its own message while it counts, or step 3 of the one that closed the job.
   */
  void ends(Digits digits, boolean runCounts) {
    if (!accounting.isOfGraph() || !runCounts) {
      if (!accounting.isOfGraph()) onRun(digits);
      else completed(digits);
      return;
    }
    require(digits.activity().leg2Entries() == ++runMessages, "I9", "an ordinal is skipped");
    require(digits.semaphore().open() == 0 && semaphore == 1, "I10", "the trigger is not counted");
    require(digits.guid().jobClosed(), "I11", "the end closes nothing");
    semaphore = 0;
    closers++;
    closer = digits.guid().value() - Marker.COMPLETION.weight();
    completed(digits);
  }

  /** Step 3 belongs to the message that closed the job, and comes once (I11). */
  private void completed(Digits digits) {
    require(closers == 1, "I11", "the run ends, and its job is not closed");
    require(
        digits.guid().value() == closer + Marker.COMPLETION.weight(),
        "I11",
        "another message runs the completion tasks");
    require(digits.semaphore().open() == semaphore, "I10", "the end moves the semaphore");
  }

  /** All obligations at once, by an interrupt that answers nothing and so has no ordinal. */
  void writtenOff(Digits digits) {
    require(digits.activity().value() > run, "I9", "the run's ledger does not rise");
    run = digits.activity().value();
    semaphore = digits.semaphore().open();
    require(semaphore == 0 && digits.guid().completionDone(), "I11", "it is not written off");
    closers++;
  }

  /** Steps 1 and 2 of a message are done, and step 3 where code's job is closed by it. */
  void steps(Digits digits, int ordinal) {
    require(digits.guid().ordinal() == ordinal, "I9", "the GUID's ordinal");
    require(digits.guid().childrenSpawned(), "I9", "its steps are not done");
    settle(digits);
  }

  /** A graph's message has its step 1 and no more. */
  void answered(Digits digits, int ordinal) {
    require(digits.guid().ordinal() == ordinal, "I9", "the GUID's ordinal");
    require(digits.guid().workDone(), "I9", "its work is not done");
    require(!digits.guid().childrenSpawned(), "I9", "it has children that no message asked for");
    require(digits.semaphore().open() == semaphore, "I10", "step 1 moves the semaphore");
  }

  /** What the engine delivers moves no semaphore: it has its work, and no children. */
  void delivered(Digits digits, int ordinal) {
    require(digits.guid().ordinal() == ordinal, "I9", "the GUID's ordinal");
    require(digits.guid().workDone(), "I9", "its work is not done");
    require(!digits.guid().childrenSpawned(), "I10", "a delivery counts as an activity");
    require(digits.semaphore().open() == semaphore, "I10", "a delivery moves the semaphore");
  }

  /** The semaphore as the message left it, and whether that closed the job. */
  void settle(Digits digits) {
    semaphore = digits.semaphore().open();
    require(semaphore >= 0, "I10", "the semaphore is negative");
    boolean closes = closers == 0 && semaphore == threshold;
    require(digits.guid().jobClosed() == closes, "I11", "the snapshot of the closed job");
    require(
        digits.guid().completionDone() == (closes && !accounting.isOfGraph()),
        "I11",
        "steps 2 and 3");
    if (!closes) return;
    closers++;
    closer = digits.guid().value();
  }
}
