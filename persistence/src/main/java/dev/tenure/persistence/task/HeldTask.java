package dev.tenure.persistence.task;

import dev.tenure.workflow.ActivityRouting;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Failure.OutsideEffect;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.operation.Outcome;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What decides about the reports on a stored task, and about the end of its time. Every storage
 * asks here, under its lock of the task.
 *
 * @param delivery rises each time that the task comes back to its queue
 * @param losses how many workers took it and were lost; one that comes back in time is not
 * @param silence for how long a worker may be silent
 * @param dueAt of a taken task when its worker counts as lost, of a lost one when it was, of a
 *     waiting one its deadline, of one with its outcome when the owner ought to have taken that
 * @param attemptUntil for how long the worker may have it, however alive it is
 * @param token the hash of the secret that the worker was given
 */
public record HeldTask(
    TaskState state,
    int attempt,
    int delivery,
    int losses,
    boolean repeatable,
    Duration silence,
    Optional<Instant> dueAt,
    Optional<Instant> attemptUntil,
    Optional<Instant> deadline,
    Optional<byte[]> token,
    Optional<Outcome> outcome) {

  /** What a report comes to. */
  public sealed interface Ruling {
    /** It changes nothing. */
    record Refused(Tasks.Heard.Why why) implements Ruling {}

    /** The worker keeps the task. */
    record Extended(Instant until, Optional<Payload> details) implements Ruling {}

    /** The task has its outcome. */
    record Ended(Outcome outcome) implements Ruling {}

    /** The task had this very outcome before. */
    record Repeated() implements Ruling {}

    /** The task waits again. */
    record Returned() implements Ruling {}
  }

  /**
   * A worker that is counted as lost, and whose task nobody else has, may still speak: what it says
   * of the effect is better than what anybody else could find out.
   */
  public Ruling judge(Tasks.Report report, Instant now) {
    TaskToken given = report.token();
    if (given.attempt() < attempt || (given.attempt() == attempt && given.delivery() < delivery))
      return new Ruling.Refused(Tasks.Heard.Why.EXPIRED);
    if (given.attempt() > attempt || given.delivery() > delivery || !isOf(given))
      return new Ruling.Refused(Tasks.Heard.Why.FORGED);
    if (state == TaskState.DONE) {
      boolean same =
          report instanceof Tasks.Report.Ended(var token, var said)
              && outcome.filter(ofAllDeliveries(said)::equals).isPresent();
      return same ? new Ruling.Repeated() : new Ruling.Refused(Tasks.Heard.Why.ENDED);
    }
    return switch (report) {
      case Tasks.Report.Ended ended -> new Ruling.Ended(ofAllDeliveries(ended.outcome()));
      case Tasks.Report.Returned returned -> new Ruling.Returned();
      case Tasks.Report.Alive alive -> extended(alive, now);
    };
  }

  /** That this worker's call had no effect says nothing of a lost one's. */
  private Outcome ofAllDeliveries(Outcome said) {
    return losses > 0 && said instanceof Outcome.Failed(Failure failure)
        ? new Outcome.Failed(failure.afterDoubt())
        : said;
  }

  private boolean isOf(TaskToken given) {
    return token.filter(hash -> MessageDigest.isEqual(hash, given.hash())).isPresent();
  }

  private Ruling extended(Tasks.Report.Alive alive, Instant now) {
    if (isOver(attemptUntil, now) || isOver(deadline, now))
      return new Ruling.Refused(Tasks.Heard.Why.EXPIRED);
    Duration wanted = alive.extension().orElse(silence);
    Duration span =
        wanted.compareTo(ActivityRouting.VISIBILITY_MAX) > 0
            ? ActivityRouting.VISIBILITY_MAX
            : wanted;
    return new Ruling.Extended(until(now, span, attemptUntil, deadline), alive.details());
  }

  /** When a worker counts as lost that may be silent for so long from now on. */
  private static Instant until(
      Instant now, Duration span, Optional<Instant> attemptUntil, Optional<Instant> deadline) {
    Instant until = now.plus(span);
    if (attemptUntil.filter(until::isAfter).isPresent()) until = attemptUntil.get();
    if (deadline.filter(until::isAfter).isPresent()) until = deadline.get();
    return until;
  }

  /** The task as its worker keeps it until then. */
  public HeldTask extended(Instant until) {
    return new HeldTask(
        TaskState.TAKEN,
        attempt,
        delivery,
        losses,
        repeatable,
        silence,
        Optional.of(until),
        attemptUntil,
        deadline,
        token,
        outcome);
  }

  /** The task as it waits again. Its delivery has another number: no token is of use any more. */
  public HeldTask waitingAgain() {
    return waitingAgain(losses);
  }

  /**
   * The task as it waits again, because it is known that it had no effect; empty when it is not
   * lost as it was found. One that was held back was with no worker: nobody lost it, and nobody has
   * a token of this delivery.
   */
  public Optional<HeldTask> offeredAgain(TaskStanding.Lost found) {
    if (!isLostAs(found)) return Optional.empty();
    return Optional.of(token.isPresent() ? waitingAgain(losses + 1) : waiting(delivery, losses));
  }

  /** Its worker may have come back meanwhile, and may be lost again: that is another loss. */
  private boolean isLostAs(TaskStanding.Lost found) {
    return state == TaskState.LOST && attempt == found.attempt() && dueAt.equals(found.since());
  }

  private HeldTask waitingAgain(int lost) {
    return waiting(delivery + 1, lost);
  }

  private HeldTask waiting(int next, int lost) {
    return new HeldTask(
        TaskState.WAITING,
        attempt,
        next,
        lost,
        repeatable,
        silence,
        deadline,
        Optional.empty(),
        deadline,
        Optional.empty(),
        outcome);
  }

  /** The task with its outcome. */
  public HeldTask ended(Outcome as, Instant now) {
    return in(TaskState.DONE, Optional.of(now.plus(Tasks.TAKEN_WITHIN)), Optional.of(as));
  }

  /** The task as its owner ends it; empty when it is not lost as it was found. */
  public Optional<HeldTask> concluded(TaskStanding.Lost found, Outcome conclusion, Instant now) {
    return isLostAs(found) ? Optional.of(ended(conclusion, now)) : Optional.empty();
  }

  /** A new task as it waits for a proof: it counts as lost, and no worker had it. */
  public HeldTask heldBack() {
    return in(TaskState.LOST, Optional.empty(), outcome);
  }

  /** The task after the end of its time. */
  public HeldTask after(Expiry expiry, Instant now) {
    return switch (expiry) {
      case Expiry.NotYet e -> this;
      case Expiry.Again e -> waitingAgain(losses + 1);
      case Expiry.Lost e -> in(TaskState.LOST, dueAt, outcome);
      case Expiry.Over e -> ended(e.outcome(), now);
      case Expiry.Untaken e -> in(TaskState.DONE, Optional.empty(), outcome);
    };
  }

  /** The task as a worker takes it. */
  public HeldTask taken(byte[] hash, Instant now, Optional<Duration> attemptLimit) {
    Optional<Instant> end = attemptLimit.map(now::plus);
    return new HeldTask(
        TaskState.TAKEN,
        attempt,
        delivery,
        losses,
        repeatable,
        silence,
        Optional.of(until(now, silence, end, deadline)),
        end,
        deadline,
        Optional.of(hash),
        outcome);
  }

  private HeldTask in(TaskState other, Optional<Instant> due, Optional<Outcome> as) {
    return new HeldTask(
        other,
        attempt,
        delivery,
        losses,
        repeatable,
        silence,
        due,
        attemptUntil,
        deadline,
        token,
        as);
  }

  private static boolean isOver(Optional<Instant> time, Instant now) {
    return time.filter(end -> !end.isAfter(now)).isPresent();
  }

  /**
   * Whether its worker missed the end of the attempt. One that fell silent before is lost, however
   * late that is noticed: the database may have been away beyond the end of the attempt.
   */
  public boolean isTimedOut() {
    return dueAt.isPresent() && attemptUntil.filter(end -> !dueAt.get().isBefore(end)).isPresent();
  }

  /** What the end of a task's time comes to. */
  public sealed interface Expiry {
    /** It is not over: somebody changed the task meanwhile. */
    record NotYet() implements Expiry {}

    /** Another worker may take it. */
    record Again() implements Expiry {}

    /** Its workflow's owner has to find out whether it took effect. */
    record Lost() implements Expiry {}

    /** Nobody will take it any more. */
    record Over(Outcome outcome) implements Expiry {}

    /** Its workflow's owner has not heard of its outcome, and the workflow is made due. */
    record Untaken() implements Expiry {}
  }

  public Expiry expire(Instant now) {
    if (!isOver(dueAt, now)) return new Expiry.NotYet();
    return switch (state) {
      case LOST -> new Expiry.NotYet();
      case DONE -> new Expiry.Untaken();
      case WAITING -> new Expiry.Over(notTaken());
      case TAKEN -> taken(now);
    };
  }

  private Expiry taken(Instant now) {
    // However alive its worker is: handed out again, it would take too long again.
    boolean tooLong = isTimedOut();
    if (repeatable && (tooLong || isOver(deadline, now)))
      return new Expiry.Over(
          new Outcome.TimedOut(
              tooLong
                  ? "Attempt %d took its worker too long.".formatted(attempt)
                  : "No worker completed it in time."));
    if (losses + 1 >= Tasks.DELIVERIES_MAX) return new Expiry.Over(tooOften());
    return repeatable ? new Expiry.Again() : new Expiry.Lost();
  }

  /** An attempt that was with no worker, or that all of them gave back, had no effect. */
  private Outcome notTaken() {
    String why = "No worker took it in time.";
    if (repeatable || losses > 0) return new Outcome.TimedOut(why);
    return new Outcome.Failed(Failure.retryable(Failure.TIMEOUT, why).with(OutsideEffect.NONE));
  }

  private static Outcome tooOften() {
    return new Outcome.Failed(
        Failure.permanent(
            Failure.WORKER_LOST,
            "%d workers took it and were silent for too long: DELIVERIES_MAX."
                .formatted(Tasks.DELIVERIES_MAX)));
  }

  /** Whether the workflow has to look when the task's time is over. Its row is locked first. */
  public boolean needsLook(Instant now) {
    return switch (expire(now)) {
      case Expiry.NotYet e -> false;
      case Expiry.Again e -> false;
      case Expiry.Lost e -> true;
      case Expiry.Over e -> true;
      case Expiry.Untaken e -> true;
    };
  }
}
