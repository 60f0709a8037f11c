package dev.tenure.workflow.collation;

import dev.tenure.workflow.collation.Violation.Ceiling;
import dev.tenure.workflow.collation.Violation.JobClosed;

/**
 * How many obligations of a job are open. Never negative (I10); reaching the threshold is an edge,
 * and the edge is taken once (I11).
 *
 * <pre>
 *      open
 *   2 -+      +-----+
 *   1 -+------+     +-----+
 *   0 -+                  +------   threshold
 *      | N=1  | +1  | -1  | -1: the edge. The message that makes it remembers it in its ledger.
 * </pre>
 *
 * Only {@link GuidLedger#spawn}, {@link GuidLedger#interruptJob} and {@link Inception} move it.
 */
public record JobSemaphore(long open, long threshold, Edge edge) {
  /** Whether the threshold was reached. Kept, because above 0 the count may rise again after it. */
  public enum Edge {
    PENDING,
    TAKEN
  }

  public JobSemaphore {
    if (open < 0 || open > Limit.OPEN_OBLIGATIONS.largest())
      throw corrupt(open, "it is within 0.." + Limit.OPEN_OBLIGATIONS.largest());
    if (threshold < 0) throw corrupt(open, "its threshold " + threshold + " is never reached");
    if (edge == Edge.PENDING && open <= threshold)
      throw corrupt(open, "at or below its threshold " + threshold + " the edge is taken");
    if (edge == Edge.TAKEN && threshold == 0 && open != 0)
      throw corrupt(open, "nothing opens again after the threshold 0");
  }

  private static CorruptLedgerError corrupt(long open, String why) {
    return new CorruptLedgerError("job semaphore", open, why);
  }

  /** The semaphore of a job that closes when nothing is open any more. */
  public static JobSemaphore of(long open) {
    return opened(open, 0);
  }

  /**
   * A job's semaphore at its inception. A job that has not more obligations than its threshold is
   * closed from the start, by its trigger.
   */
  public static JobSemaphore opened(long children, long threshold) {
    return new JobSemaphore(children, threshold, children <= threshold ? Edge.TAKEN : Edge.PENDING);
  }

  /** Whether obligations remain; a job without any is complete. */
  public boolean isActive() {
    return open > 0;
  }

  Mark<JobSemaphore> move(long delta) {
    // No activity is open any more, and a late child must not open the job again.
    if (open == 0) return Mark.refused(new JobClosed());
    if (delta > Limit.OPEN_OBLIGATIONS.largest() - open)
      return Mark.refused(new Ceiling(Limit.OPEN_OBLIGATIONS, open, delta));
    long after = open + delta;
    boolean hit = edge == Edge.TAKEN || after == threshold;
    return Mark.recorded(new JobSemaphore(after, threshold, hit ? Edge.TAKEN : Edge.PENDING));
  }

  Mark<JobSemaphore> writeOff() {
    if (open == 0) return Mark.refused(new JobClosed());
    return Mark.recorded(new JobSemaphore(0, threshold, Edge.TAKEN));
  }
}
