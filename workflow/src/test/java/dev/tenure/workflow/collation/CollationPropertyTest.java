package dev.tenure.workflow.collation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.workflow.collation.GuidLedger.Step2;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** I9, I10 and I11 under random lives of jobs. {@code TENURE_SEED=n} runs one life again. */
class CollationPropertyTest {
  private static final int LIVES = 1_500;
  private static final int OPERATIONS = 250;

  @Test
  void ledgersAgreeWithTheNaiveJobInEveryLife() {
    Optional<Long> given = Optional.ofNullable(System.getenv("TENURE_SEED")).map(Long::valueOf);
    long seed = given.orElseGet(System::nanoTime);
    System.out.println("CollationPropertyTest: TENURE_SEED=" + seed);
    int lives = given.isPresent() ? 1 : LIVES;
    for (int life = 0; life < lives; life++)
      new CollationRun(seed + life, Collator.GENUINE).run(OPERATIONS);
  }

  /** Random lives that never get somewhere prove nothing about it. */
  @Test
  void theLivesVisitEveryDecision() {
    Set<ReentryTable.Row> unvisited = new HashSet<>(ReentryTable.ROWS);
    unvisited.removeIf(row -> row.decision().isEmpty());
    Collator visiting =
        new Collator() {
          @Override
          public Reentry next(Transition message) {
            unvisited.remove(message.row());
            return message.next();
          }
        };
    for (long seed = 0; seed < LIVES && !unvisited.isEmpty(); seed++)
      new CollationRun(seed, visiting).run(OPERATIONS);
    assertThat(unvisited).isEmpty();
  }

  /** A checker that finds nothing must be shown to find something. */
  @Test
  void everyPlantedBugIsFound() {
    Map<String, String> found = new TreeMap<>();
    canaries().forEach((bug, broken) -> found.put(bug, firstFailure(broken)));
    assertThat(found).allSatisfy((bug, failure) -> assertThat(failure).as(bug).startsWith("seed"));
  }

  private static String firstFailure(Collator broken) {
    for (long seed = 0; seed < LIVES; seed++) {
      try {
        new CollationRun(seed, broken).run(OPERATIONS);
      } catch (AssertionError found) {
        return found.getMessage();
      }
    }
    return "survived";
  }

  private static Map<String, Collator> canaries() {
    return Map.of(
        "a redelivered step 2 moves the semaphore again", new SpawnsAgain(),
        "the edge is not remembered by its message", new ForgetsTheSnapshot(),
        "the snapshot is computed anew on a replay", new RecomputesTheSnapshot(),
        "a redelivered message takes another entry", new CountsRedeliveries(),
        "the hundredth attempt carries", new CarriesAttempts(),
        "a closed job is acknowledged before its closer is asked", new AcknowledgesClosedJobs(),
        "every completed step 2 finalizes", new FinalizesTooEarly(),
        "an interrupt leaves an obligation behind", new InterruptsPartly(),
        "the semaphore moves when its obligation is not discharged", new AlwaysDischarges(),
        "a pivot is not seeded", new ForgetsThePreSeed());
  }

  private static Transition with(Transition message, ActivityLedger activity) {
    return new Transition(
        message.kind(), message.leg(), activity, message.guid(), message.semaphore());
  }

  private static Transition with(Transition message, GuidLedger guid, JobSemaphore semaphore) {
    return new Transition(
        message.kind(), message.leg(), message.activity(), Optional.of(guid), semaphore);
  }

  private static final class SpawnsAgain implements Collator {
    @Override
    public Mark<Transition> spawn(Transition message, int children, Parent parent) {
      boolean again = message.guid().map(GuidLedger::childrenSpawned).orElse(false);
      if (!again || !message.semaphore().isActive()) return message.spawn(children, parent);
      JobSemaphore moved = message.semaphore().move(parent.delta(children)).orThrow();
      return Mark.alreadyRecorded(with(message, message.guid().orElseThrow(), moved));
    }
  }

  private static final class ForgetsTheSnapshot implements Collator {
    @Override
    public Mark<Transition> spawn(Transition message, int children, Parent parent) {
      return message
          .spawn(children, parent)
          .map(
              after -> {
                GuidLedger guid = after.guid().orElseThrow();
                return guid.standing() != GuidLedger.Standing.CLOSING
                    ? after
                    : with(
                        after,
                        new GuidLedger(guid.value() - GuidLedger.JOB_CLOSED),
                        after.semaphore());
              });
    }
  }

  private static final class RecomputesTheSnapshot implements Collator {
    @Override
    public Reentry next(Transition message) {
      boolean closedByNow =
          message.guid().map(guid -> guid.standing() == GuidLedger.Standing.SPAWNED).orElse(false)
              && !message.semaphore().isActive();
      return closedByNow ? Reentry.STEP3 : message.next();
    }
  }

  private static final class CountsRedeliveries implements Collator {
    @Override
    public Mark<Transition> enter(Transition message) {
      boolean known = message.guid().map(guid -> guid.ordinal() > 0).orElse(false);
      return known && message.activity().enterLeg2() instanceof Mark.Recorded<ActivityLedger> entry
          ? Mark.recorded(with(message, entry.now()))
          : message.enter();
    }
  }

  private static final class CarriesAttempts implements Collator {
    @Override
    public Mark<Transition> enter(Transition message) {
      return message.next() == Reentry.ESCALATE && message.leg() == Leg.LEG1
          ? Mark.recorded(
              with(
                  message,
                  new ActivityLedger(message.activity().value() + ActivityLedger.LEG1_ENTRY)))
          : message.enter();
    }
  }

  private static final class AcknowledgesClosedJobs implements Collator {
    @Override
    public Reentry next(Transition message) {
      return message.semaphore().isActive() ? message.next() : Reentry.ACKNOWLEDGE;
    }
  }

  private static final class FinalizesTooEarly implements Collator {
    @Override
    public Mark<Transition> spawn(Transition message, int children, Parent parent) {
      return message
          .spawn(children, parent)
          .map(
              after ->
                  after.activity().markFinalized(after.kind())
                          instanceof Mark.Recorded<ActivityLedger> finalized
                      ? with(after, finalized.now())
                      : after);
    }
  }

  private static final class InterruptsPartly implements Collator {
    @Override
    public Mark<Step2> interruptJob(GuidLedger message, JobSemaphore semaphore) {
      return semaphore.open() < 2 || semaphore.threshold() > 0
          ? message.interruptJob(semaphore)
          : message
              .interruptJob(semaphore)
              .map(
                  step ->
                      new Step2(
                          new GuidLedger(step.guid().value() - GuidLedger.JOB_CLOSED),
                          JobSemaphore.of(1)));
    }
  }

  private static final class AlwaysDischarges implements Collator {
    @Override
    public Mark<Transition> spawn(Transition message, int children, Parent parent) {
      return message.spawn(children, Parent.CLOSES);
    }
  }

  private static final class ForgetsThePreSeed implements Collator {
    @Override
    public Mark<Transition> work(Transition message) {
      Mark<Transition> mark = message.work();
      if (message.kind() != ActivityKind.PIVOT || message.activity().leg1Complete()) return mark;
      return mark.map(after -> with(after, new ActivityLedger(after.activity().value() - 1)));
    }
  }
}
