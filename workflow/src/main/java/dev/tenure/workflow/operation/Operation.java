package dev.tenure.workflow.operation;

import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Failure.OutsideEffect;
import dev.tenure.workflow.collation.ActivityLedger;
import dev.tenure.workflow.collation.GuidLedger;
import dev.tenure.workflow.lifecycle.OperationPhase;
import dev.tenure.workflow.lifecycle.OperationPhase.Trigger;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * One open operation of a workflow.
 *
 * @param place which activity of its job it is
 * @param guid of its newest message: its ordinal, and how many of its steps are done
 * @param order how many operations the workflow had asked for before: the one that waits longest is
 *     first
 * @param attempt the attempt that is in flight, or that comes next
 * @param attemptsBefore those among them that no longer count: a person had it tried anew
 * @param attemptAt when that attempt went out last, or goes out
 * @param lastFailure of the attempt before, or of what it came out with
 * @param afterwards what the child is told once it is known to exist, when the program does not
 *     wait for it any more
 * @param sent of what an earlier run left to be delivered
 */
public record Operation(
    OperationId id,
    OperationSpec spec,
    Place place,
    ActivityLedger ledger,
    GuidLedger guid,
    OperationPhase phase,
    long order,
    int attempt,
    int attemptsBefore,
    Instant scheduledAt,
    Instant attemptAt,
    Optional<Failure> lastFailure,
    Optional<MessageContent> afterwards,
    Optional<Sent> sent) {

  /**
   * How an earlier run of the workflow sent it: a receiver that gets it again has to recognise it.
   *
   * @param as what it was called in that run
   */
  public record Sent(OperationId as, MessageGuid guid) {}

  private static Operation begun(
      OperationId id,
      OperationSpec spec,
      Place place,
      ActivityLedger ledger,
      OperationPhase phase,
      long order,
      Instant at) {
    return new Operation(
        id,
        spec,
        place,
        ledger,
        GuidLedger.LEG1,
        phase,
        order,
        1,
        0,
        at,
        at,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /** As it is scheduled. */
  public static Operation scheduled(
      OperationId id,
      OperationSpec spec,
      Place place,
      ActivityLedger ledger,
      long order,
      Instant at) {
    OperationPhase phase = OperationPhase.TABLE.require(OperationPhase.NEW, spec.begins(), id);
    return begun(id, spec, place, ledger, phase, order, at);
  }

  /** What passes through is answered as it is asked for; its children are asked for next. */
  public static Operation passing(
      OperationId id,
      OperationSpec spec,
      Place place,
      ActivityLedger ledger,
      GuidLedger guid,
      long order,
      Instant at) {
    OperationPhase phase = OperationPhase.TABLE.require(OperationPhase.NEW, Trigger.ANSWER, id);
    return begun(id, spec, place, ledger, phase, order, at).with(ledger, guid, phase);
  }

  /** As a new run takes it over from the one before it, which did not see it delivered. */
  public static Operation carried(
      OperationId id,
      OperationSpec spec,
      ActivityLedger ledger,
      long order,
      Instant at,
      Optional<MessageContent> then,
      Sent sent,
      boolean letGo) {
    OperationPhase sending = OperationPhase.TABLE.require(OperationPhase.NEW, Trigger.SEND, id);
    OperationPhase phase =
        letGo ? OperationPhase.TABLE.require(sending, Trigger.LET_GO, id) : sending;
    Operation begun = begun(id, spec, Place.usual(spec.kind()), ledger, phase, order, at);
    return begun.then(then, Optional.of(sent));
  }

  public OperationKind kind() {
    return spec.kind();
  }

  /**
   * Whether it is an open activity of the job, which the semaphore counts (I10). What the engine
   * delivers is none, and neither is what the program no longer waits for.
   */
  public boolean isObligation() {
    return !id.isEngines() && phase != OperationPhase.LET_GO && phase != OperationPhase.GIVEN_UP;
  }

  /** Whether more messages may come to it after its newest one. */
  public boolean canBeLeftOpen() {
    return phase == OperationPhase.ANSWERED
        && lastFailure.isEmpty()
        && spec instanceof OperationSpec.SignalWait;
  }

  private OperationPhase moved(Trigger trigger) {
    return OperationPhase.TABLE.require(phase, trigger, id);
  }

  private Operation with(ActivityLedger after, GuidLedger message, OperationPhase to) {
    return new Operation(
        id,
        spec,
        place,
        after,
        message,
        to,
        order,
        attempt,
        attemptsBefore,
        scheduledAt,
        attemptAt,
        lastFailure,
        afterwards,
        sent);
  }

  private Operation then(Optional<MessageContent> next, Optional<Sent> before) {
    return new Operation(
        id,
        spec,
        place,
        ledger,
        guid,
        phase,
        order,
        attempt,
        attemptsBefore,
        scheduledAt,
        attemptAt,
        lastFailure,
        next,
        before);
  }

  private Operation attempts(
      int next, int before, Instant scheduled, Instant at, Optional<Failure> failure) {
    return new Operation(
        id,
        spec,
        place,
        ledger,
        guid,
        phase,
        order,
        next,
        before,
        scheduled,
        at,
        failure,
        afterwards,
        sent);
  }

  public Operation attemptFailed(
      Failure failure, Instant retryAt, ActivityLedger after, GuidLedger message) {
    return with(after, message, moved(Trigger.FAIL_ATTEMPT))
        .attempts(
            attempt + 1, attemptsBefore, scheduledAt, retryAt, Optional.of(ofAllAttempts(failure)));
  }

  /**
   * Whether an attempt before the one at hand may have had its effect, or may have it only now: it
   * failed without saying that it had none, or was on a node that was taken for lost.
   */
  public boolean mayHaveHadEffect() {
    return lastFailure
        .map(last -> last.outside() != OutsideEffect.NONE)
        .orElseGet(() -> ledger.leg1Attempts() > 1);
  }

  /** What the failure of the attempt at hand says of all attempts so far. */
  public Failure ofAllAttempts(Failure failure) {
    return mayHaveHadEffect() ? failure.afterDoubt() : failure;
  }

  /** Whether only its record or its verifier can tell how the attempts so far came out. */
  public boolean needsProof() {
    return isKeyedActivity() && mayHaveHadEffect();
  }

  /** The time for all attempts counts from here when a person asked for this one. */
  public Operation attemptStarted(Instant at) {
    return with(ledger, guid, moved(Trigger.NEXT_ATTEMPT))
        .attempts(
            attempt, attemptsBefore, attemptThatCounts() == 1 ? at : scheduledAt, at, lastFailure);
  }

  /**
   * Due at once, as if it had been asked for just now and never tried.
   *
   * @param unproven whether it is run although it may have had its effect
   */
  public Operation retried(Instant at, boolean unproven) {
    Optional<Failure> failure =
        unproven ? lastFailure.map(last -> last.with(OutsideEffect.NONE)) : lastFailure;
    return with(ledger, guid, moved(Trigger.RETRY)).attempts(attempt, attempt - 1, at, at, failure);
  }

  /**
   * Whether its attempt waits for a worker, or is with one. That outlives its owner: the workflow
   * need not be in memory.
   */
  public boolean isWithWorkers() {
    return phase == OperationPhase.IN_FLIGHT
        && spec instanceof OperationSpec.Activity activity
        && activity.isQueued();
  }

  /** A keyed activity's attempt says itself when its time is over: it asks the verifier first. */
  private boolean endsItself() {
    return phase == OperationPhase.IN_FLIGHT && isKeyedActivity();
  }

  private boolean isKeyedActivity() {
    return spec instanceof OperationSpec.Activity activity && activity.isKeyed();
  }

  /** Which attempt it is of those that count. */
  public int attemptThatCounts() {
    return attempt - attemptsBefore;
  }

  /** A new owner hands it out again, and its attempt's time counts anew. */
  public Operation redelivered(Instant at, ActivityLedger after) {
    // The old owner's attempt may have had its effect, or have it later.
    return with(after, guid, moved(Trigger.REDELIVER))
        .attempts(attempt, attemptsBefore, scheduledAt, at, lastFailure.map(Failure::afterDoubt));
  }

  public Operation acknowledged(ActivityLedger after, GuidLedger message) {
    return with(after, message, moved(Trigger.ACKNOWLEDGE));
  }

  /** The parent does not wait for this child any more, and asks it to stop. */
  public Operation givenUp(ActivityLedger after, GuidLedger message) {
    return with(after, message, moved(Trigger.GIVE_UP));
  }

  public Operation letGo(Optional<MessageContent> next, ActivityLedger after, GuidLedger message) {
    return with(after, message, moved(Trigger.LET_GO)).then(next, sent);
  }

  /**
   * Its message is recorded; what the program asks for because of it is still to come.
   *
   * @param failure of a message that says how it failed: no other follows such a one
   */
  public Operation answered(ActivityLedger after, GuidLedger message, Optional<Failure> failure) {
    return with(after, message, moved(Trigger.ANSWER))
        .attempts(attempt, attemptsBefore, scheduledAt, attemptAt, failure);
  }

  /** The program answered its message, and it stays open for the next. */
  public Operation leftOpen(ActivityLedger after, GuidLedger message) {
    return with(after, message, moved(Trigger.LEAVE_OPEN));
  }

  /** Another entry of it was taken by a cycle; where it stands does not change. */
  public Operation entered(ActivityLedger after) {
    return with(after, guid, phase);
  }

  /** Checks that it may come out now; it then leaves the state. */
  public void requireOver(Trigger completeOrAbandon) {
    OperationPhase.TABLE.require(phase, completeOrAbandon, id);
  }

  /** When time alone moves it, empty when it does not. */
  public Optional<Instant> dueAt() {
    if (phase == OperationPhase.ANSWERED || endsItself()) return Optional.empty();
    return switch (spec) {
      case OperationSpec.Attempted attempted -> dueAt(attempted);
      case OperationSpec.Awaited awaited -> awaited.until(scheduledAt);
      case OperationSpec.Delivered _, OperationSpec.Recorded _ -> Optional.empty();
    };
  }

  private Optional<Instant> dueAt(OperationSpec.Attempted attempted) {
    Optional<Instant> total = attempted.timeouts().total().map(scheduledAt::plus);
    Optional<Instant> own =
        phase == OperationPhase.BACKING_OFF
            ? Optional.of(attemptAt)
            : attempted instanceof OperationSpec.Activity
                // An activity may wait for a free place, and its time counts from its start, which
                // the node reports.
                ? Optional.empty()
                : attempted.timeouts().attempt().map(attemptAt::plus);
    if (total.isEmpty() || own.isEmpty()) return own.isPresent() ? own : total;
    return total.get().isBefore(own.get()) ? total : own;
  }

  /** Whether the time for all attempts together is over. */
  public boolean isTotalTimeOver(OperationSpec.Attempted attempted, Instant now) {
    return attempted.timeouts().total().map(span -> !now.isBefore(end(span))).orElse(false);
  }

  /** When the time for all attempts together is over. */
  public Optional<Instant> deadline() {
    return spec instanceof OperationSpec.Attempted attempted
        ? attempted.timeouts().total().map(this::end)
        : Optional.empty();
  }

  private Instant end(Duration span) {
    return scheduledAt.plus(span);
  }
}
