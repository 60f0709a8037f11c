package dev.tenure.workflow.kernel;

import dev.tenure.workflow.collation.ActivityKind;
import dev.tenure.workflow.collation.ActivityLedger;
import dev.tenure.workflow.collation.GuidLedger;
import dev.tenure.workflow.collation.Inception;
import dev.tenure.workflow.collation.JobSemaphore;
import dev.tenure.workflow.collation.Leg;
import dev.tenure.workflow.collation.Parent;
import dev.tenure.workflow.collation.Reentry;
import dev.tenure.workflow.collation.Transition;
import dev.tenure.workflow.lifecycle.ImpossibleHistoryError;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationKind;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * The integers of one commit. A message of code goes through its three steps at once, because all
 * that it brings about commits together; one of a graph has its step 2 when the program has said
 * what it asks for. The order of the digits stays the protocol's.
 */
final class Ledgers {
  /** run() itself asks and is answered like a worker: its start is Leg1, what reaches it Leg2. */
  static final ActivityKind RUN = ActivityKind.WORKER;

  private static final Map<ActivityKind, ActivityLedger> SCHEDULED =
      new EnumMap<>(ActivityKind.class);

  static {
    for (ActivityKind kind : ActivityKind.values()) SCHEDULED.put(kind, requested(kind));
  }

  /** Why the kernel runs the completion tasks of a closed job, its step 3. */
  private sealed interface Closing {
    record ByMessage(Transition message) implements Closing {}

    record ByTrigger(Inception trigger) implements Closing {}
  }

  private final boolean ofGraph;
  private JobSemaphore semaphore;
  private ActivityLedger run;

  /** Whether the run counts: that of code while it goes on, a graph's until it has published. */
  private boolean runCounts;

  private Optional<Closing> closing = Optional.empty();

  Ledgers(Accounting accounting, JobSemaphore semaphore, ActivityLedger run, boolean runCounts) {
    this.ofGraph = accounting.isOfGraph();
    this.semaphore = semaphore;
    this.run = run;
    this.runCounts = runCounts;
  }

  /** As they stand between two commits. */
  static Ledgers of(WorkflowState state) {
    Accounting accounting = state.start.accounting();
    boolean runCounts = !state.phase.isOver() && !(accounting.isOfGraph() && state.published);
    return new Ledgers(accounting, state.semaphore, state.run, runCounts);
  }

  /** As they stand when a run has begun. */
  static Ledgers begun(Accounting accounting, Inception inception, ActivityLedger run) {
    return new Ledgers(accounting, inception.semaphore(), run, true);
  }

  /**
   * A workflow of code begins with the run itself, and with what it asks for first. A graph begins
   * with its trigger alone: its children are counted once it has asked for all of them.
   */
  static Inception inception(Accounting accounting, int operations) {
    return accounting.isOfGraph()
        ? Inception.create(1)
        : Inception.create(1 + operations).publish().orThrow();
  }

  private static ActivityLedger requested(ActivityKind kind) {
    ActivityLedger entered = ActivityLedger.NEW.enterLeg1().orThrow();
    // Where the steps run in Leg1, the first of them completes it.
    return kind.stepsInLeg1() ? entered : entered.completeLeg1(kind).orThrow();
  }

  static ActivityLedger scheduled(ActivityKind kind) {
    return SCHEDULED.get(kind);
  }

  static ActivityLedger ofRun() {
    return SCHEDULED.get(RUN);
  }

  /** A new run begins, and with it its own counting. */
  void renew(Inception inception, ActivityLedger anew) {
    semaphore = inception.semaphore();
    run = anew;
    runCounts = true;
    closing = Optional.empty();
  }

  /** Whether no obligation is open any more (I11). */
  boolean isClosed() {
    return !semaphore.isActive();
  }

  /** Whether a message of this commit, or the trigger, has taken the semaphore to its threshold. */
  boolean isThresholdReached() {
    return semaphore.edge() == JobSemaphore.Edge.TAKEN;
  }

  boolean isRunFull() {
    return run.standing() == ActivityLedger.Standing.LEG2_EXHAUSTED;
  }

  /** How many activities are open, the run left out. */
  long open() {
    return semaphore.open() - (runCounts ? 1 : 0);
  }

  /** The trigger's step 2: from here on the semaphore counts its children and nothing else. */
  Inception publish(int children, long threshold) {
    Inception published = Inception.create(children, threshold).publish().orThrow();
    if (published.isImmediatelyComplete()) closing = Optional.of(new Closing.ByTrigger(published));
    semaphore = published.semaphore();
    runCounts = false;
    return published;
  }

  /** All steps of a message. */
  Digits on(Operation operation, int children, Parent parent) {
    if (!operation.isObligation()) return delivery(operation.ledger());
    ActivityKind kind = operation.place().kind();
    return kind.stepsInLeg1()
        ? settle(entered(operation).spawn(children, parent).orThrow())
        : message(kind, operation.ledger(), children, parent);
  }

  private Digits message(ActivityKind kind, ActivityLedger ledger, int children, Parent parent) {
    Transition spawned =
        new Transition(kind, Leg.LEG2, ledger, Optional.empty(), semaphore)
            .enter()
            .orThrow()
            .work()
            .orThrow()
            .spawn(children, parent)
            .orThrow();
    return settle(spawned);
  }

  /** Step 1 of a message: what it asks for is not known yet. */
  Digits answered(Operation operation) {
    return digits(entered(operation));
  }

  private Transition entered(Operation operation) {
    ActivityKind kind = operation.place().kind();
    Transition message =
        kind.stepsInLeg1()
            ? new Transition(
                kind, Leg.LEG1, operation.ledger(), Optional.of(GuidLedger.LEG1), semaphore)
            : enter(kind, Leg.LEG2, operation.ledger());
    return message.work().orThrow();
  }

  private Transition enter(ActivityKind kind, Leg leg, ActivityLedger ledger) {
    return new Transition(kind, leg, ledger, Optional.empty(), semaphore).enter().orThrow();
  }

  /** What the engine delivers is no activity of the job, so the semaphore stays as it is (I10). */
  private Digits delivery(ActivityLedger ledger) {
    ActivityLedger after = ledger.enterLeg2().orThrow();
    return new Digits(after, GuidLedger.seed(after).work().orThrow(), semaphore);
  }

  Digits onRun(int children, Parent parent) {
    Digits digits = message(RUN, run, children, parent);
    run = digits.activity();
    return digits;
  }

  /** A value of code is recorded where it is asked for: its steps run in Leg1. */
  Digits value() {
    ActivityKind kind = OperationKind.VALUE.collation();
    return settle(enter(kind, Leg.LEG1, ActivityLedger.NEW).work().orThrow().spawn(0).orThrow());
  }

  /** Step 1 of what passes through. */
  Digits passing(ActivityKind kind) {
    return digits(enter(kind, Leg.LEG1, ActivityLedger.NEW).work().orThrow());
  }

  /** Step 1 of a cycle's message to its ancestor, which takes an entry and with it a dimension. */
  Digits reentered(Operation pivot) {
    return digits(enter(pivot.place().kind(), Leg.LEG1, pivot.ledger()).work().orThrow());
  }

  /**
   * Step 2 of the message whose GUID ledger this is. The ledger is asked first, in any state of the
   * job: a step that is done is not done again.
   *
   * @param of the activity that the message entered
   * @param leg in which it entered
   */
  Digits spawned(Operation of, Leg leg, GuidLedger guid, int children, Parent parent) {
    Transition message =
        new Transition(of.place().kind(), leg, of.ledger(), Optional.of(guid), semaphore);
    Reentry next = message.next();
    if (next != Reentry.STEP2)
      throw new ImpossibleHistoryError(
          "The message %s of %s has %s to do, not step 2: %s."
              .formatted(guid, of.id(), next, message.because()));
    return settle(message.spawn(children, parent).orThrow());
  }

  private Digits settle(Transition spawned) {
    semaphore = spawned.semaphore();
    if (!spawned.guid().orElseThrow().jobClosed()) return digits(spawned);
    // The message that took the edge closes the job in the same commit, and no other does (I11).
    if (!ofGraph) return digits(spawned.completeJob().orThrow());
    closing = Optional.of(new Closing.ByMessage(spawned));
    return digits(spawned);
  }

  private Digits digits(Transition message) {
    return new Digits(message.activity(), message.guid().orElseThrow(), semaphore);
  }

  /**
   * The end: the run's own message where the run counts, or step 3 of the one that closed the job.
   */
  Digits end() {
    Digits ofRun = runCounts ? onRun(0, Parent.CLOSES) : null;
    runCounts = false;
    if (!ofGraph) return ofRun;
    return switch (closing.orElseThrow()) {
      case Closing.ByMessage(Transition message) -> digits(message.completeJob().orThrow());
      case Closing.ByTrigger(Inception trigger) ->
          new Digits(ActivityLedger.TRIGGER, trigger.completeJob().orThrow().guid(), semaphore);
    };
  }

  /**
   * Writes everything off at once. For a workflow whose counters are full: no message could
   * discharge its obligations one by one, and it must end all the same.
   */
  Digits interrupt() {
    GuidLedger.Step2 step = GuidLedger.LEG1.interruptJob(semaphore).orThrow();
    GuidLedger.Step3 closed = step.guid().completeJob(run, RUN).orThrow();
    semaphore = step.semaphore();
    run = closed.activity();
    return new Digits(run, closed.guid(), semaphore);
  }
}
