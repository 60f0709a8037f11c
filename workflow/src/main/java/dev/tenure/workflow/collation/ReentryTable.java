package dev.tenure.workflow.collation;

import static dev.tenure.workflow.collation.ActivityLedger.Standing.FINALIZED;
import static dev.tenure.workflow.collation.ActivityLedger.Standing.LEG1_COMPLETE;
import static dev.tenure.workflow.collation.ActivityLedger.Standing.LEG1_EXHAUSTED;
import static dev.tenure.workflow.collation.ActivityLedger.Standing.LEG1_OPEN;
import static dev.tenure.workflow.collation.ActivityLedger.Standing.LEG2_EXHAUSTED;
import static dev.tenure.workflow.collation.Entry.LEG1;
import static dev.tenure.workflow.collation.Entry.LEG1_PIVOT;
import static dev.tenure.workflow.collation.Entry.LEG1_STEPS;
import static dev.tenure.workflow.collation.Entry.LEG2;
import static dev.tenure.workflow.collation.GuidLedger.Standing.CLOSING;
import static dev.tenure.workflow.collation.GuidLedger.Standing.COMPLETED;
import static dev.tenure.workflow.collation.GuidLedger.Standing.LEG1_SEEDED;
import static dev.tenure.workflow.collation.GuidLedger.Standing.LEG2_SEEDED;
import static dev.tenure.workflow.collation.GuidLedger.Standing.SPAWNED;
import static dev.tenure.workflow.collation.GuidLedger.Standing.UNSEEN;
import static dev.tenure.workflow.collation.GuidLedger.Standing.WORKED;
import static dev.tenure.workflow.collation.ReentryTable.Job.ACTIVE;
import static dev.tenure.workflow.collation.ReentryTable.Job.CLOSED;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Every resume decision, as one table: the first row that fits decides. The message's own ledger
 * comes before the job's state, so a job that is closed already still gets its completion tasks.
 */
final class ReentryTable {
  enum Job {
    ACTIVE,
    CLOSED
  }

  /** One row. Without a decision it is a combination that no sequence of commits can reach. */
  record Row(
      Set<Entry> entries,
      Set<Job> jobs,
      Set<ActivityLedger.Standing> activities,
      Set<GuidLedger.Standing> guids,
      Optional<Reentry> decision,
      String because) {

    boolean fits(Entry entry, Job job, ActivityLedger.Standing activity, GuidLedger.Standing guid) {
      return entries.contains(entry)
          && jobs.contains(job)
          && activities.contains(activity)
          && guids.contains(guid);
    }
  }

  private static final Set<Entry> ANY_ENTRY = EnumSet.allOf(Entry.class);
  private static final Set<Entry> FIRST_LEG = EnumSet.of(LEG1, LEG1_STEPS, LEG1_PIVOT);
  private static final Set<Job> ANY_JOB = EnumSet.allOf(Job.class);
  private static final Set<ActivityLedger.Standing> ANY_ACTIVITY =
      EnumSet.allOf(ActivityLedger.Standing.class);
  private static final Set<ActivityLedger.Standing> INCOMPLETE =
      EnumSet.of(LEG1_OPEN, LEG1_EXHAUSTED);
  private static final Set<ActivityLedger.Standing> COMPLETE =
      EnumSet.of(LEG1_COMPLETE, LEG2_EXHAUSTED, FINALIZED);
  private static final Set<GuidLedger.Standing> ANY_GUID = EnumSet.allOf(GuidLedger.Standing.class);
  private static final Set<GuidLedger.Standing> BEFORE_STEPS = EnumSet.of(UNSEEN, LEG1_SEEDED);
  private static final Set<GuidLedger.Standing> IN_STEPS =
      EnumSet.of(LEG2_SEEDED, WORKED, SPAWNED, CLOSING, COMPLETED);

  static final List<Row> ROWS =
      List.of(
          never(ANY_ENTRY, INCOMPLETE, IN_STEPS, "steps follow Leg1's digit, or set it"),
          never(Set.of(LEG1), ANY_ACTIVITY, IN_STEPS, "this Leg1 has no steps"),
          never(Set.of(LEG1_STEPS), ANY_ACTIVITY, Set.of(LEG2_SEEDED), "only pivots re-enter"),
          never(Set.of(LEG2), ANY_ACTIVITY, Set.of(LEG1_SEEDED), "a message has one leg"),
          never(Set.of(LEG1_PIVOT), Set.of(FINALIZED), ANY_GUID, "a pivot is never finalized"),
          never(ANY_ENTRY, Set.of(FINALIZED), Set.of(CLOSING), "step 3 sets both digits"),
          row(ANY_ENTRY, ANY_JOB, ANY_ACTIVITY, Set.of(COMPLETED), Reentry.ACKNOWLEDGE, "all done"),
          row(
              ANY_ENTRY,
              ANY_JOB,
              ANY_ACTIVITY,
              Set.of(CLOSING),
              Reentry.STEP3,
              "it closed the job, in any present state of the job"),
          row(
              ANY_ENTRY,
              ANY_JOB,
              ANY_ACTIVITY,
              Set.of(SPAWNED),
              Reentry.ACKNOWLEDGE,
              "its steps are done, another message closes the job"),
          row(
              ANY_ENTRY,
              Set.of(CLOSED),
              ANY_ACTIVITY,
              ANY_GUID,
              Reentry.ACKNOWLEDGE,
              "the job was closed without it"),
          row(ANY_ENTRY, Set.of(ACTIVE), ANY_ACTIVITY, Set.of(WORKED), Reentry.STEP2, "work done"),
          row(
              ANY_ENTRY,
              Set.of(ACTIVE),
              ANY_ACTIVITY,
              Set.of(LEG2_SEEDED),
              Reentry.STEP1,
              "it has its ordinal and no step"),
          row(
              FIRST_LEG,
              Set.of(ACTIVE),
              Set.of(LEG1_OPEN),
              BEFORE_STEPS,
              Reentry.RUN_LEG1,
              "Leg1 has not committed"),
          row(
              FIRST_LEG,
              Set.of(ACTIVE),
              Set.of(LEG1_EXHAUSTED),
              BEFORE_STEPS,
              Reentry.ESCALATE,
              "99 attempts did not commit"),
          row(
              Set.of(LEG1_PIVOT),
              Set.of(ACTIVE),
              Set.of(LEG1_COMPLETE),
              Set.of(UNSEEN),
              Reentry.REENTER,
              "a new message to a pivot is a cycle"),
          row(
              Set.of(LEG1_PIVOT),
              Set.of(ACTIVE),
              Set.of(LEG2_EXHAUSTED),
              Set.of(UNSEEN),
              Reentry.ESCALATE,
              "no ordinal is left"),
          row(
              FIRST_LEG,
              Set.of(ACTIVE),
              COMPLETE,
              BEFORE_STEPS,
              Reentry.ACKNOWLEDGE,
              "Leg1 committed, this is a replay"),
          row(
              Set.of(LEG2),
              Set.of(ACTIVE),
              INCOMPLETE,
              Set.of(UNSEEN),
              Reentry.DEFER,
              "its Leg1 has not committed"),
          row(
              Set.of(LEG2),
              Set.of(ACTIVE),
              Set.of(LEG1_COMPLETE),
              Set.of(UNSEEN),
              Reentry.ENTER_LEG2,
              "a new message"),
          row(
              Set.of(LEG2),
              Set.of(ACTIVE),
              Set.of(LEG2_EXHAUSTED),
              Set.of(UNSEEN),
              Reentry.ESCALATE,
              "no ordinal is left"),
          row(
              Set.of(LEG2),
              Set.of(ACTIVE),
              Set.of(FINALIZED),
              Set.of(UNSEEN),
              Reentry.ACKNOWLEDGE,
              "finalized: closed to new messages"));

  private static final int JOBS = Job.values().length;
  private static final int ACTIVITIES = ActivityLedger.Standing.values().length;
  private static final int GUIDS = GuidLedger.Standing.values().length;

  /** The table unrolled, because it is asked at every step of every workflow. */
  private static final Row[] UNROLLED = unroll();

  private ReentryTable() {}

  private static Row never(
      Set<Entry> entries,
      Set<ActivityLedger.Standing> activities,
      Set<GuidLedger.Standing> guids,
      String because) {
    return new Row(entries, ANY_JOB, activities, guids, Optional.empty(), because);
  }

  private static Row row(
      Set<Entry> entries,
      Set<Job> jobs,
      Set<ActivityLedger.Standing> activities,
      Set<GuidLedger.Standing> guids,
      Reentry decision,
      String because) {
    return new Row(entries, jobs, activities, guids, Optional.of(decision), because);
  }

  /** The row that decides. */
  static Row row(Entry entry, Job job, ActivityLedger.Standing activity, GuidLedger.Standing guid) {
    return UNROLLED[index(entry, job, activity, guid)];
  }

  private static int index(
      Entry entry, Job job, ActivityLedger.Standing activity, GuidLedger.Standing guid) {
    return ((entry.ordinal() * JOBS + job.ordinal()) * ACTIVITIES + activity.ordinal()) * GUIDS
        + guid.ordinal();
  }

  private static Row[] unroll() {
    Row[] unrolled = new Row[Entry.values().length * JOBS * ACTIVITIES * GUIDS];
    for (Entry entry : Entry.values())
      for (Job job : Job.values())
        for (ActivityLedger.Standing activity : ActivityLedger.Standing.values())
          for (GuidLedger.Standing guid : GuidLedger.Standing.values())
            unrolled[index(entry, job, activity, guid)] =
                ROWS.stream()
                    .filter(row -> row.fits(entry, job, activity, guid))
                    .findFirst()
                    .orElseThrow(
                        () ->
                            new IllegalStateException(
                                "No row decides %s, %s, %s, %s."
                                    .formatted(entry, job, activity, guid)));
    return unrolled;
  }
}
