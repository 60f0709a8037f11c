package dev.tenure.workflow.kernel;

import dev.tenure.workflow.collation.ActivityKind;
import dev.tenure.workflow.collation.ActivityLedger;
import dev.tenure.workflow.collation.GuidLedger;
import dev.tenure.workflow.collation.Inception;
import dev.tenure.workflow.collation.JobSemaphore;
import dev.tenure.workflow.collation.Leg;
import dev.tenure.workflow.collation.Parent;
import dev.tenure.workflow.collation.Transition;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationKind;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * The integers of one commit. Each message goes through its three steps at once, because all that
 * it brings about commits together; the order of the digits stays the protocol's.
 */
final class Ledgers {
  /** run() itself asks and is answered like a worker: its start is Leg1, what reaches it Leg2. */
  static final ActivityKind RUN = ActivityKind.WORKER;

  private static final Map<OperationKind, ActivityLedger> SCHEDULED =
      new EnumMap<>(OperationKind.class);

  static {
    for (OperationKind kind : OperationKind.values())
      SCHEDULED.put(
          kind, ActivityLedger.NEW.enterLeg1().orThrow().completeLeg1(kind.collation()).orThrow());
  }

  private JobSemaphore semaphore;
  private ActivityLedger run;

  Ledgers(JobSemaphore semaphore, ActivityLedger run) {
    this.semaphore = semaphore;
    this.run = run;
  }

  /** A workflow begins with the run itself, and with what the run asks for first. */
  static Inception inception(int operations) {
    return Inception.create(1 + operations).publish().orThrow();
  }

  static ActivityLedger scheduled(OperationKind kind) {
    return SCHEDULED.get(kind);
  }

  /** A new run begins, and with it its own counting. */
  void renew(Inception inception, ActivityLedger anew) {
    semaphore = inception.semaphore();
    run = anew;
  }

  /** Whether no obligation is open any more (I11). */
  boolean isClosed() {
    return !semaphore.isActive();
  }

  boolean isRunFull() {
    return run.standing() == ActivityLedger.Standing.LEG2_EXHAUSTED;
  }

  Digits on(Operation operation, int children, Parent parent) {
    return message(operation.kind().collation(), operation.ledger(), children, parent);
  }

  Digits onRun(int children, Parent parent) {
    Digits digits = message(RUN, run, children, parent);
    run = digits.activity();
    return digits;
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

  /** A value is recorded where it is asked for: its steps run in Leg1. */
  Digits value() {
    Transition spawned =
        new Transition(
                OperationKind.VALUE.collation(),
                Leg.LEG1,
                ActivityLedger.NEW,
                Optional.empty(),
                semaphore)
            .enter()
            .orThrow()
            .work()
            .orThrow()
            .spawn(0)
            .orThrow();
    return settle(spawned);
  }

  private Digits settle(Transition spawned) {
    GuidLedger guid = spawned.guid().orElseThrow();
    // The message that took the edge closes the job in the same commit, and no other does (I11).
    Transition done = guid.jobClosed() ? spawned.completeJob().orThrow() : spawned;
    semaphore = done.semaphore();
    return new Digits(done.activity(), done.guid().orElseThrow(), semaphore);
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
