package dev.tenure.workflow.collation;

import dev.tenure.workflow.collation.GuidLedger.Step2;
import dev.tenure.workflow.collation.Violation.Ceiling;
import dev.tenure.workflow.collation.Violation.Finalized;
import dev.tenure.workflow.collation.Violation.JobClosed;
import dev.tenure.workflow.collation.Violation.NotItsDigit;
import dev.tenure.workflow.collation.Violation.OutOfOrder;
import dev.tenure.workflow.collation.Violation.Stale;
import java.util.Optional;

/**
 * One message on its way through one activity: the three integers it touches, and what it may do
 * with them. Each method answers with the integers as they stand after that step; committing them
 * together with the step's work is what makes the step happen exactly once.
 *
 * <p>Several steps may share one commit. Their order and their digits stay the same, and the one
 * entry that must be durable by itself is that of a Leg1 whose work can fail or call out.
 *
 * @param guid the message's own ledger, empty when it never came before or needs none
 */
public record Transition(
    ActivityKind kind,
    Leg leg,
    ActivityLedger activity,
    Optional<GuidLedger> guid,
    JobSemaphore semaphore) {

  public Transition {
    if (kind == ActivityKind.TRIGGER)
      throw new IllegalArgumentException("A trigger is entered by its Inception.");
    if (leg == Leg.LEG2 && !kind.category().hasLeg2())
      throw new IllegalArgumentException("A " + kind + " has no Leg2.");
    if (guid.isPresent() && guid.get().ordinal() > activity.leg2Entries())
      throw new CorruptLedgerError(
          "GUID ledger", guid.get(), "its activity stands at " + activity + ", below its ordinal");
  }

  /** What there is to do, for a first delivery and for every later one. Ask before entering. */
  public Reentry next() {
    ReentryTable.Row row = row();
    return row.decision().orElseThrow(() -> corrupt(row));
  }

  /** Why {@link #next} says so, for a person who looks at a message that was set aside. */
  public String because() {
    return row().because();
  }

  ReentryTable.Row row() {
    return ReentryTable.row(
        kind.entry(leg),
        semaphore.isActive() ? ReentryTable.Job.ACTIVE : ReentryTable.Job.CLOSED,
        activity.standing(),
        guid.isPresent() ? guid.get().standing() : GuidLedger.Standing.UNSEEN);
  }

  private CorruptLedgerError corrupt(ReentryTable.Row row) {
    return new CorruptLedgerError(
        kind + " in " + leg,
        "activity " + activity + ", GUID " + guid.map(Record::toString).orElse("none"),
        row.because());
  }

  /**
   * The entry marker. A first delivery counts an attempt at Leg1, or takes the next ordinal of
   * Leg2; a replay of Leg1 counts as an attempt too, for as long as there are digits; a message
   * that has its ordinal keeps it (its dimension depends on it).
   */
  public Mark<Transition> enter() {
    return switch (next()) {
      case RUN_LEG1 -> countAttempt(kind.entry(leg) == Entry.LEG1 ? guid : seededInLeg1());
      case ENTER_LEG2, REENTER ->
          activity.enterLeg2().map(after -> with(after, Optional.of(GuidLedger.seed(after))));
      case STEP1, STEP2, STEP3, ACKNOWLEDGE -> comeBack();
      case DEFER -> Mark.refused(new OutOfOrder(Marker.LEG2_ENTRY, Marker.LEG1_COMPLETE));
      case ESCALATE -> Mark.refused(ceiling());
    };
  }

  private Optional<GuidLedger> seededInLeg1() {
    return guid.isPresent() ? guid : Optional.of(GuidLedger.LEG1);
  }

  private Mark<Transition> countAttempt(Optional<GuidLedger> seeded) {
    return activity.enterLeg1().map(after -> with(after, seeded));
  }

  /** Nothing is written after the end of a job but the closer's own step 3. */
  private Mark<Transition> comeBack() {
    if (guid.isEmpty() && !semaphore.isActive()) return Mark.refused(new JobClosed());
    if (guid.isEmpty() && leg == Leg.LEG2) return Mark.refused(new Finalized());
    boolean counted =
        leg == Leg.LEG1
            && semaphore.isActive()
            && (guid.isEmpty() || guid.get().ordinal() == 0)
            // Leg1 is done, so a full counter is no reason to escalate: the message goes anyway.
            && activity.leg1Attempts() < Limit.LEG1_ATTEMPTS.largest();
    return counted ? countAttempt(guid) : Mark.alreadyRecorded(this);
  }

  private Ceiling ceiling() {
    return activity.standing() == ActivityLedger.Standing.LEG1_EXHAUSTED
        ? new Ceiling(Limit.LEG1_ATTEMPTS, activity.leg1Attempts(), 1)
        : new Ceiling(Limit.LEG2_ENTRIES, activity.leg2Entries(), 1);
  }

  /** Leg1's proof, for activities whose Leg1 has no steps: the request, registration or cycle. */
  public Mark<Transition> completeLeg1() {
    if (leg == Leg.LEG2 || kind.stepsInLeg1())
      return Mark.refused(new NotItsDigit(kind, Marker.LEG1_COMPLETE));
    if (!activity.leg1Complete() && !semaphore.isActive()) return Mark.refused(new JobClosed());
    return activity.completeLeg1(kind).map(after -> with(after, guid));
  }

  /**
   * Step 1. Where the steps run in Leg1 it is Leg1's proof as well, and both digits are one commit;
   * a re-entry of a pivot finds that proof already there.
   */
  public Mark<Transition> work() {
    if (guid.isEmpty()) return Mark.refused(new OutOfOrder(Marker.WORK, entryMarker()));
    GuidLedger message = guid.get();
    if (!hasSteps(message)) return Mark.refused(new NotItsDigit(kind, Marker.WORK));
    if (message.workDone()) return Mark.alreadyRecorded(this);
    if (!semaphore.isActive()) return Mark.refused(new JobClosed());
    ActivityLedger proven = activity;
    if (message.ordinal() == 0) {
      if (activity.leg1Complete()) return Mark.refused(new Stale());
      switch (activity.completeLeg1(kind)) {
        case Mark.Recorded<ActivityLedger>(ActivityLedger now) -> proven = now;
        case Mark.AlreadyRecorded<ActivityLedger>(ActivityLedger unchanged) -> proven = unchanged;
        case Mark.Refused<ActivityLedger>(Violation violation) -> {
          return Mark.refused(violation);
        }
      }
    }
    ActivityLedger after = proven;
    return message.work().map(worked -> with(after, Optional.of(worked)));
  }

  private Marker entryMarker() {
    return leg == Leg.LEG1 ? Marker.LEG1_ENTRY : Marker.LEG2_ENTRY;
  }

  /** A message of Leg1 has steps when its activity runs them there, or when it is a re-entry. */
  private boolean hasSteps(GuidLedger message) {
    return message.ordinal() > 0 || kind.stepsInLeg1();
  }

  /** Step 2 of an activity that is done: so many children replace it. */
  public Mark<Transition> spawn(int children) {
    return spawn(children, Parent.CLOSES);
  }

  /** Step 2: children, semaphore and, when this closes the job, its proof. */
  public Mark<Transition> spawn(int children, Parent parent) {
    if (guid.isEmpty()) return Mark.refused(new OutOfOrder(Marker.CHILDREN, entryMarker()));
    return guid.get().spawn(semaphore, children, parent).map(this::with);
  }

  private Transition with(Step2 step) {
    return new Transition(kind, leg, activity, Optional.of(step.guid()), step.semaphore());
  }

  /**
   * Step 3: the completion tasks of the job that this message closed, and the activity's last
   * digit.
   */
  public Mark<Transition> completeJob() {
    if (guid.isEmpty()) return Mark.refused(new OutOfOrder(Marker.COMPLETION, entryMarker()));
    return guid.get()
        .completeJob(activity, kind)
        .map(step -> with(step.activity(), Optional.of(step.guid())));
  }

  private Transition with(ActivityLedger after, Optional<GuidLedger> message) {
    return new Transition(kind, leg, after, message, semaphore);
  }
}
