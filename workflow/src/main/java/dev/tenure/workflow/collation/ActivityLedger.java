package dev.tenure.workflow.collation;

import dev.tenure.workflow.collation.Violation.Ceiling;
import dev.tenure.workflow.collation.Violation.Finalized;
import dev.tenure.workflow.collation.Violation.NotItsDigit;
import dev.tenure.workflow.collation.Violation.OutOfOrder;

/**
 * How far one activity has come: its attempts, whether its request committed, how many responses
 * came in, whether it is finalized. It only rises (I9).
 *
 * <pre>
 *   2 01 1 000 00000001
 *   | |  | |   |
 *   | |  | |   +-- 8-15  Leg2 entries, 0..99 999 999 (+1)
 *   | |  | +------ 5-7   reserved, always 000
 *   | |  +-------- 4     Leg1 complete, 0 or 1 (+100B)
 *   | +----------- 2-3   Leg1 attempts, 0..99 (+1T)
 *   +------------- 1     0 active, 2 finalized (+200T), 1 a trigger's seed
 * </pre>
 */
public record ActivityLedger(long value) {
  static final long SEED = 100_000_000_000_000L;
  static final long FINALIZE = 2 * SEED;
  static final long LEG1_ENTRY = 1_000_000_000_000L;
  static final long LEG1_COMPLETE = 100_000_000_000L;
  static final long LEG2_ENTRY = 1;

  /** An activity that no message has entered yet. */
  public static final ActivityLedger NEW = new ActivityLedger(0);

  /** The trigger's: complete from the start, with its one Leg2 entry taken. */
  public static final ActivityLedger TRIGGER =
      new ActivityLedger(SEED + LEG1_ENTRY + LEG1_COMPLETE + LEG2_ENTRY);

  /** What the digits say about the next message, in one word. */
  public enum Standing {
    /** Leg1 has not committed, and may be tried. */
    LEG1_OPEN,
    /** Leg1 has not committed, and was tried 99 times. */
    LEG1_EXHAUSTED,
    /** Leg1 committed. */
    LEG1_COMPLETE,
    /** Leg1 committed, and every ordinal is taken. */
    LEG2_EXHAUSTED,
    /** The activity ran the job's completion tasks. */
    FINALIZED
  }

  public ActivityLedger {
    if (value < 0 || value > Digits.LARGEST) throw corrupt(value, "it has more than 15 digits");
    if (value / Digits.COUNTER % 1000 != 0) throw corrupt(value, "positions 5-7 are reserved");
    if (value / LEG1_COMPLETE % 10 > 1) throw corrupt(value, "position 4 is 0 or 1");
    long first = value / SEED;
    if (first > 2 || (first == 1 && value != SEED + LEG1_ENTRY + LEG1_COMPLETE + LEG2_ENTRY))
      throw corrupt(value, "position 1 is 0, 2, or the 1 of a trigger");
    boolean complete = value / LEG1_COMPLETE % 10 == 1;
    if (complete && value / LEG1_ENTRY % 100 == 0)
      throw corrupt(value, "Leg1 completes only after an attempt");
    if (!complete && (first != 0 || value % Digits.COUNTER != 0))
      throw corrupt(value, "what follows Leg1 needs Leg1's digit");
  }

  private static CorruptLedgerError corrupt(long value, String why) {
    return new CorruptLedgerError("activity ledger", value, why);
  }

  public int leg1Attempts() {
    return (int) (value / LEG1_ENTRY % 100);
  }

  public boolean leg1Complete() {
    return value / LEG1_COMPLETE % 10 == 1;
  }

  public int leg2Entries() {
    return (int) (value % Digits.COUNTER);
  }

  public boolean isFinalized() {
    return value >= FINALIZE;
  }

  public boolean isTrigger() {
    return value / SEED == 1;
  }

  /** The plane of the latest entry. What took no entry yet runs in the first plane. */
  public int dimensionalIndex() {
    return Math.max(leg2Entries() - 1, 0);
  }

  public Standing standing() {
    if (isFinalized()) return Standing.FINALIZED;
    if (!leg1Complete())
      return leg1Attempts() < Limit.LEG1_ATTEMPTS.largest()
          ? Standing.LEG1_OPEN
          : Standing.LEG1_EXHAUSTED;
    return leg2Entries() < Limit.LEG2_ENTRIES.largest()
        ? Standing.LEG1_COMPLETE
        : Standing.LEG2_EXHAUSTED;
  }

  /**
   * Counts one more attempt at Leg1. Past 99 the carry would read as finalized, so it is refused.
   */
  public Mark<ActivityLedger> enterLeg1() {
    if (isTrigger()) return Mark.refused(new NotItsDigit(ActivityKind.TRIGGER, Marker.LEG1_ENTRY));
    if (leg1Attempts() >= Limit.LEG1_ATTEMPTS.largest())
      return Mark.refused(new Ceiling(Limit.LEG1_ATTEMPTS, leg1Attempts(), 1));
    return Mark.recorded(new ActivityLedger(value + LEG1_ENTRY));
  }

  /** Proves Leg1's work; what cycles takes its first Leg2 entry with it. */
  public Mark<ActivityLedger> completeLeg1(ActivityKind kind) {
    if (leg1Complete()) return Mark.alreadyRecorded(this);
    if (leg1Attempts() == 0)
      return Mark.refused(new OutOfOrder(Marker.LEG1_COMPLETE, Marker.LEG1_ENTRY));
    return Mark.recorded(
        new ActivityLedger(value + LEG1_COMPLETE + (kind.isPreSeeded() ? LEG2_ENTRY : 0)));
  }

  /** Takes the next ordinal for a message that was never seen before. */
  public Mark<ActivityLedger> enterLeg2() {
    if (isTrigger()) return Mark.refused(new NotItsDigit(ActivityKind.TRIGGER, Marker.LEG2_ENTRY));
    if (!leg1Complete())
      return Mark.refused(new OutOfOrder(Marker.LEG2_ENTRY, Marker.LEG1_COMPLETE));
    if (isFinalized()) return Mark.refused(new Finalized());
    if (leg2Entries() >= Limit.LEG2_ENTRIES.largest())
      return Mark.refused(new Ceiling(Limit.LEG2_ENTRIES, leg2Entries(), 1));
    return Mark.recorded(new ActivityLedger(value + LEG2_ENTRY));
  }

  /**
   * Closes the activity to new messages. Only {@link GuidLedger#completeJob} leads here, because
   * the digit certifies that this activity ran the job's completion tasks (I11).
   */
  Mark<ActivityLedger> markFinalized(ActivityKind kind) {
    if (!kind.isFinalizable()) return Mark.refused(new NotItsDigit(kind, Marker.FINALIZE));
    if (isFinalized()) return Mark.alreadyRecorded(this);
    if (!leg1Complete()) return Mark.refused(new OutOfOrder(Marker.FINALIZE, Marker.LEG1_COMPLETE));
    return Mark.recorded(new ActivityLedger(value + FINALIZE));
  }

  /** The fifteen digits. */
  @Override
  public String toString() {
    return Digits.print(value);
  }
}
