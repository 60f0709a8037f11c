package dev.tenure.workflow.collation;

import java.util.ArrayList;
import java.util.List;

/**
 * What the contract says, kept as plain flags and counters instead of digits: slow, obvious, and
 * written without looking at the ledgers.
 */
final class NaiveJob {
  enum Answer {
    RECORDED,
    ALREADY,
    REFUSED
  }

  /** An activity and the obligations that are its own to discharge. */
  static final class Activity {
    final ActivityKind kind;
    int attempts;
    boolean leg1Done;
    int entries;
    boolean finalized;
    int owed;

    Activity(ActivityKind kind, int attempts, boolean leg1Done, int entries, int owed) {
      this.kind = kind;
      this.attempts = attempts;
      this.leg1Done = leg1Done;
      this.entries = entries;
      this.owed = owed;
    }
  }

  static final class Message {
    final Activity activity;
    final Leg leg;
    boolean seen;
    int ordinal;
    boolean worked;
    boolean spawned;
    boolean closedJob;
    boolean completed;

    Message(Activity activity, Leg leg) {
      this.activity = activity;
      this.leg = leg;
    }
  }

  final List<Activity> activities = new ArrayList<>();
  final long threshold;
  boolean edgeTaken;
  int closers;
  int completions;

  NaiveJob(long threshold) {
    this.threshold = threshold;
  }

  /** Counted anew each time: the one number that the semaphore must always show (I10). */
  long open() {
    long open = 0;
    for (Activity activity : activities) open += activity.owed;
    return open;
  }

  Reentry next(Message message) {
    Activity activity = message.activity;
    if (message.completed) return Reentry.ACKNOWLEDGE;
    if (message.closedJob) return Reentry.STEP3;
    if (message.spawned || open() == 0) return Reentry.ACKNOWLEDGE;
    if (message.worked) return Reentry.STEP2;
    if (message.ordinal > 0) return Reentry.STEP1;
    if (message.leg == Leg.LEG1) {
      if (!activity.leg1Done) return activity.attempts < 99 ? Reentry.RUN_LEG1 : Reentry.ESCALATE;
      if (!activity.kind.isPivot() || message.seen) return Reentry.ACKNOWLEDGE;
      return activity.entries < 99_999_999 ? Reentry.REENTER : Reentry.ESCALATE;
    }
    if (!activity.leg1Done) return Reentry.DEFER;
    if (activity.finalized) return Reentry.ACKNOWLEDGE;
    return activity.entries < 99_999_999 ? Reentry.ENTER_LEG2 : Reentry.ESCALATE;
  }

  Answer enter(Message message, boolean commit) {
    Activity activity = message.activity;
    switch (next(message)) {
      case RUN_LEG1 -> {
        if (commit) {
          activity.attempts++;
          message.seen |= activity.kind.entry(Leg.LEG1) != Entry.LEG1;
        }
        return Answer.RECORDED;
      }
      case ENTER_LEG2, REENTER -> {
        if (commit) {
          message.ordinal = ++activity.entries;
          message.seen = true;
        }
        return Answer.RECORDED;
      }
      case DEFER, ESCALATE -> {
        return Answer.REFUSED;
      }
      case STEP1, STEP2, STEP3, ACKNOWLEDGE -> {
        if (!message.seen && (open() == 0 || message.leg == Leg.LEG2)) return Answer.REFUSED;
        boolean counts = message.leg == Leg.LEG1 && message.ordinal == 0 && open() > 0;
        if (!counts || activity.attempts == 99) return Answer.ALREADY;
        if (commit) activity.attempts++;
        return Answer.RECORDED;
      }
    }
    throw new AssertionError();
  }

  Answer completeLeg1(Message message, boolean commit) {
    Activity activity = message.activity;
    if (message.leg == Leg.LEG2 || activity.kind.stepsInLeg1()) return Answer.REFUSED;
    if (activity.leg1Done) return Answer.ALREADY;
    if (open() == 0 || activity.attempts == 0) return Answer.REFUSED;
    if (commit) finishLeg1(activity);
    return Answer.RECORDED;
  }

  private static void finishLeg1(Activity activity) {
    activity.leg1Done = true;
    if (activity.kind == ActivityKind.PIVOT || activity.kind == ActivityKind.CYCLE)
      activity.entries++;
  }

  Answer work(Message message, boolean commit) {
    Activity activity = message.activity;
    if (!message.seen || (message.ordinal == 0 && !activity.kind.stepsInLeg1()))
      return Answer.REFUSED;
    if (message.worked) return Answer.ALREADY;
    if (open() == 0 || (message.ordinal == 0 && activity.leg1Done)) return Answer.REFUSED;
    if (commit) {
      if (message.ordinal == 0) finishLeg1(activity);
      message.worked = true;
    }
    return Answer.RECORDED;
  }

  Answer spawn(Message message, List<Activity> children, Parent parent, boolean commit) {
    if (!message.seen) return Answer.REFUSED;
    if (message.spawned) return Answer.ALREADY;
    if (!message.worked || open() == 0) return Answer.REFUSED;
    if (commit) {
      message.spawned = true;
      if (parent == Parent.CLOSES) message.activity.owed--;
      activities.addAll(children);
      takeEdge(message);
    }
    return Answer.RECORDED;
  }

  Answer interrupt(Message message, boolean commit) {
    if (message.spawned) return Answer.ALREADY;
    if (open() == 0) return Answer.REFUSED;
    if (commit) {
      message.worked = true;
      message.spawned = true;
      for (Activity activity : activities) activity.owed = 0;
      takeEdge(message);
    }
    return Answer.RECORDED;
  }

  private void takeEdge(Message message) {
    if (edgeTaken || open() > threshold) return;
    edgeTaken = true;
    closers++;
    message.closedJob = true;
  }

  Answer completeJob(Message message, boolean commit) {
    if (!message.seen) return Answer.REFUSED;
    if (message.completed) return Answer.ALREADY;
    if (!message.closedJob) return Answer.REFUSED;
    if (commit) {
      message.completed = true;
      completions++;
      if (message.activity.kind.isFinalizable()) message.activity.finalized = true;
    }
    return Answer.RECORDED;
  }
}
