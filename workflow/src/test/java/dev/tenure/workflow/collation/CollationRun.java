package dev.tenure.workflow.collation;

import static dev.tenure.workflow.collation.NaiveJob.Answer.ALREADY;
import static dev.tenure.workflow.collation.NaiveJob.Answer.RECORDED;
import static dev.tenure.workflow.collation.NaiveJob.Answer.REFUSED;

import dev.tenure.workflow.collation.GuidLedger.Step2;
import dev.tenure.workflow.collation.NaiveJob.Answer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * One job's life under random messages, redeliveries, crashes before a commit, operations out of
 * turn and interrupts, in step with {@link NaiveJob}; every difference is an {@link
 * AssertionError}.
 */
final class CollationRun {
  private static final ActivityKind[] KINDS = ActivityKind.values();
  private static final int ACTIVITIES_MAX = 60;
  private static final Set<Reentry> ENDS =
      EnumSet.of(Reentry.ACKNOWLEDGE, Reentry.DEFER, Reentry.ESCALATE);

  private final SplittableRandom random;
  private final Collator collator;
  private final NaiveJob job;
  private final String name;
  private final int childrenMax;
  private final Map<NaiveJob.Activity, ActivityLedger> ledgers = new IdentityHashMap<>();
  private final Map<NaiveJob.Message, GuidLedger> guids = new IdentityHashMap<>();
  private final List<NaiveJob.Message> messages = new ArrayList<>();
  private final List<NaiveJob.Message> interrupts = new ArrayList<>();
  private JobSemaphore semaphore;
  private String last = "";

  CollationRun(long seed, Collator collator) {
    this.random = new SplittableRandom(seed);
    this.collator = collator;
    this.name = "seed " + seed;
    // Some lives only shrink, or their jobs would hardly ever reach an end by themselves.
    this.childrenMax = random.nextInt(4);
    this.job = new NaiveJob(random.nextInt(4) == 0 ? random.nextInt(1, 4) : 0);
  }

  void run(int operations) {
    try {
      incept();
      for (int i = 0; i < operations; i++) oneOperation();
      bringToAnEnd();
    } catch (CorruptLedgerError | CollationError broken) {
      throw new AssertionError(name + " after " + last, broken);
    }
  }

  /** The trigger's part: so many children, near a ceiling now and then. */
  private void incept() {
    int children = random.nextInt(6);
    Inception inception = Inception.create(children, job.threshold).publish().orThrow();
    for (int i = 0; i < children; i++) job.activities.add(newActivity());
    semaphore = inception.semaphore();
    if (inception.isImmediatelyComplete()) {
      inception.completeJob().orThrow();
      job.edgeTaken = true;
      job.closers++;
      job.completions++;
    }
    check();
  }

  private NaiveJob.Activity newActivity() {
    ActivityKind kind = KINDS[random.nextInt(1, KINDS.length)];
    NaiveJob.Activity activity =
        switch (random.nextInt(8)) {
          case 0 -> new NaiveJob.Activity(kind, random.nextInt(96, 99), false, 0, 1);
          case 1 ->
              kind.category().hasLeg2() || kind.isPivot()
                  ? new NaiveJob.Activity(kind, random.nextInt(1, 99), true, 99_999_997, 1)
                  : new NaiveJob.Activity(kind, 9, false, 0, 1);
          default -> new NaiveJob.Activity(kind, 0, false, 0, 1);
        };
    ledgers.put(activity, new ActivityLedger(Long.parseLong(digitsOf(activity))));
    return activity;
  }

  private void oneOperation() {
    int dice = random.nextInt(100);
    if (dice < 1) interrupts.add(interrupt(new NaiveJob.Message(trigger(), Leg.LEG1), true));
    else if (dice < 3 && !interrupts.isEmpty())
      finishInterrupt(interrupts.get(random.nextInt(interrupts.size())));
    else if ((dice < 25 || messages.isEmpty()) && !job.activities.isEmpty()) newMessage();
    else if (!messages.isEmpty()) {
      NaiveJob.Message message = messages.get(random.nextInt(messages.size()));
      // A crash before the commit: everything computed is gone, and the message comes again.
      operate(message, random.nextInt(3) > 0 ? step(message) : random.nextInt(5), !crash());
    }
  }

  private boolean crash() {
    return random.nextInt(6) == 0;
  }

  private static NaiveJob.Activity trigger() {
    return new NaiveJob.Activity(ActivityKind.TRIGGER, 1, true, 1, 0);
  }

  private void newMessage() {
    NaiveJob.Activity activity = job.activities.get(random.nextInt(job.activities.size()));
    boolean leg2 = activity.kind.category().hasLeg2() && random.nextInt(3) > 0;
    messages.add(new NaiveJob.Message(activity, leg2 ? Leg.LEG2 : Leg.LEG1));
  }

  /**
   * The operation that the next decision asks for: 0 enter, 1 Leg1, 2 work, 3 spawn, 4 complete.
   */
  private int step(NaiveJob.Message message) {
    return switch (job.next(message)) {
      case RUN_LEG1 ->
          !entered(message) || random.nextInt(3) == 0
              ? 0
              : message.activity.kind.stepsInLeg1() ? 2 : 1;
      case ENTER_LEG2, REENTER, ACKNOWLEDGE, DEFER, ESCALATE -> 0;
      case STEP1 -> 2;
      case STEP2 -> 3;
      case STEP3 -> 4;
    };
  }

  /** A message that leaves a trace of its own enters by itself; another's entry is not its. */
  private static boolean entered(NaiveJob.Message message) {
    return message.activity.kind.entry(Leg.LEG1) == Entry.LEG1
        ? message.activity.attempts > 0
        : message.seen;
  }

  private void operate(NaiveJob.Message message, int operation, boolean commit) {
    Transition before = transition(message);
    last = "operation " + operation + (commit ? "" : " (crashed)") + " on " + before;
    require(
        collator.next(before) == job.next(message), "decides otherwise than " + job.next(message));
    switch (operation) {
      case 0 -> apply(message, job.enter(message, commit), collator.enter(before), commit);
      case 1 -> completeLeg1(message, before, commit);
      case 2 -> apply(message, job.work(message, commit), collator.work(before), commit);
      case 3 -> spawn(message, before, commit);
      default ->
          apply(message, job.completeJob(message, commit), collator.completeJob(before), commit);
    }
  }

  /** A cycle's obligation goes over to the pivot, whose re-entry discharges it. */
  private void completeLeg1(NaiveJob.Message message, Transition before, boolean commit) {
    Answer expected = job.completeLeg1(message, commit);
    Optional<NaiveJob.Activity> pivot =
        job.activities.stream().filter(activity -> activity.kind.isPivot()).findFirst();
    if (message.activity.kind == ActivityKind.CYCLE
        && expected == RECORDED
        && commit
        && pivot.isPresent()) {
      pivot.get().owed += message.activity.owed;
      message.activity.owed = 0;
      messages.add(new NaiveJob.Message(pivot.get(), Leg.LEG1));
    }
    apply(message, expected, collator.completeLeg1(before), commit);
  }

  private void spawn(NaiveJob.Message message, Transition before, boolean commit) {
    int room = ACTIVITIES_MAX - job.activities.size();
    List<NaiveJob.Activity> children = new ArrayList<>();
    int wanted =
        message.activity.kind == ActivityKind.SELF_INTERRUPT ? 0 : random.nextInt(childrenMax + 1);
    for (int i = 0; i < Math.min(wanted, room); i++) children.add(newActivity());
    // An activity without an obligation of its own has nothing to discharge (I10).
    Parent parent = message.activity.owed > 0 ? Parent.CLOSES : Parent.STAYS_OPEN;
    Answer expected = job.spawn(message, children, parent, commit);
    apply(message, expected, collator.spawn(before, children.size(), parent), commit);
  }

  private NaiveJob.Message interrupt(NaiveJob.Message message, boolean commit) {
    message.seen = true;
    GuidLedger before = guids.getOrDefault(message, GuidLedger.LEG1);
    last = "interrupt " + before + " of " + semaphore;
    Answer expected = job.interrupt(message, commit);
    Mark<Step2> mark = collator.interruptJob(before, semaphore);
    require(answer(mark) == expected, "answers " + mark + ", not " + expected);
    if (mark instanceof Mark.Recorded<Step2>(Step2 step) && commit) {
      guids.put(message, step.guid());
      semaphore = step.semaphore();
    }
    check();
    return message;
  }

  private void finishInterrupt(NaiveJob.Message message) {
    interrupt(message, true);
    if (!message.closedJob) return;
    Answer expected = job.completeJob(message, true);
    Mark<GuidLedger.Step3> mark =
        guids.get(message).completeJob(ActivityLedger.TRIGGER, ActivityKind.TRIGGER);
    require(answer(mark) == expected, "completes with " + mark + ", not " + expected);
    guids.put(message, mark.orThrow().guid());
  }

  private Transition transition(NaiveJob.Message message) {
    return new Transition(
        message.activity.kind,
        message.leg,
        ledgers.get(message.activity),
        Optional.ofNullable(guids.get(message)),
        semaphore);
  }

  private void apply(
      NaiveJob.Message message, Answer expected, Mark<Transition> mark, boolean commit) {
    require(answer(mark) == expected, "answers " + mark + ", not " + expected);
    Transition before = transition(message);
    if (mark instanceof Mark.Recorded<Transition>(Transition after)) {
      long rise = after.activity().value() - before.activity().value();
      long guidRise = value(after) - value(before);
      require(rise >= 0 && guidRise >= 0 && rise + guidRise > 0, "does not rise to " + after); // I9
      if (commit) {
        ledgers.put(message.activity, after.activity());
        after.guid().ifPresent(guid -> guids.put(message, guid));
        semaphore = after.semaphore();
      }
    } else if (mark instanceof Mark.AlreadyRecorded<Transition>(Transition same)) {
      require(same.equals(before), "changes a digit that stands: " + same); // I9
    }
    require(ledgers.get(message.activity).toString().equals(digitsOf(message.activity)), "differs");
    if (message.seen)
      require(guids.get(message).toString().equals(digitsOf(message)), "differs in its GUID");
    check();
  }

  private static long value(Transition message) {
    return message.guid().map(GuidLedger::value).orElse(-1L);
  }

  private static Answer answer(Mark<?> mark) {
    return switch (mark) {
      case Mark.Recorded<?> recorded -> RECORDED;
      case Mark.AlreadyRecorded<?> already -> ALREADY;
      case Mark.Refused<?> refused -> REFUSED;
    };
  }

  private void check() {
    require(
        semaphore.open() == job.open(), "semaphore " + semaphore + ", open " + job.open()); // I10
    require((semaphore.edge() == JobSemaphore.Edge.TAKEN) == job.edgeTaken, "edge " + semaphore);
    long closers = guids.values().stream().filter(GuidLedger::jobClosed).count();
    require(closers <= 1 && job.closers <= 1 && job.completions <= 1, "closed twice"); // I11
  }

  /** No more crashes: what can finish does, the rest is interrupted, everything is redelivered. */
  private void bringToAnEnd() {
    for (int round = 0; round < 3; round++)
      for (NaiveJob.Message message : List.copyOf(messages)) settle(message);
    while (job.open() > 0)
      interrupts.add(interrupt(new NaiveJob.Message(trigger(), Leg.LEG1), true));
    interrupts.forEach(this::finishInterrupt);
    for (NaiveJob.Message message : List.copyOf(messages)) settle(message);
    require(!semaphore.isActive(), "did not close");
    require(
        job.closers == 1 && job.completions == 1, "completed " + job.completions + " times"); // I11
  }

  /** Follows the decisions of the ledgers, as an engine would, to where they say: acknowledge. */
  private void settle(NaiveJob.Message message) {
    for (int steps = 0; steps < 20; steps++) {
      boolean ends = ENDS.contains(collator.next(transition(message)));
      operate(message, ends ? 0 : step(message), true);
      if (ends) return;
    }
    throw new AssertionError(name + ": never acknowledged: " + transition(message));
  }

  private static String digitsOf(NaiveJob.Activity activity) {
    return "%d%02d%d000%08d"
        .formatted(
            activity.finalized ? 2 : 0,
            activity.attempts,
            activity.leg1Done ? 1 : 0,
            activity.entries);
  }

  private static String digitsOf(NaiveJob.Message message) {
    return "000%d%d%d%d%08d"
        .formatted(
            message.closedJob ? 1 : 0,
            message.worked ? 1 : 0,
            message.spawned ? 1 : 0,
            message.completed ? 1 : 0,
            message.ordinal);
  }

  private void require(boolean holds, String otherwise) {
    if (!holds) throw new AssertionError(name + ": " + last + " " + otherwise);
  }
}
