package dev.tenure.workflow.operation;

import dev.tenure.workflow.Failure;
import dev.tenure.workflow.collation.ActivityLedger;
import dev.tenure.workflow.lifecycle.OperationPhase;
import dev.tenure.workflow.lifecycle.OperationPhase.Trigger;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * One open operation of a workflow.
 *
 * @param order how many operations the workflow had asked for before: who waits longest is first
 * @param attempt the attempt that is in flight, or that comes next
 * @param attemptsBefore those among them that no longer count: a person had it tried anew
 * @param attemptAt when that attempt went out last, or goes out
 * @param lastFailure of the attempt before
 * @param afterwards what the child is told once it is known to exist, when nobody waits for it
 * @param sent of what an earlier run left to be delivered
 */
public record Operation(
    OperationId id,
    OperationSpec spec,
    ActivityLedger ledger,
    OperationPhase phase,
    long order,
    int attempt,
    int attemptsBefore,
    Instant scheduledAt,
    Instant attemptAt,
    Optional<Failure> lastFailure,
    Optional<OperationSpec.Content> afterwards,
    Optional<Sent> sent) {

  /**
   * How an earlier run of the workflow sent it: whoever receives it again has to recognise it.
   *
   * @param as what it was called in that run
   */
  public record Sent(OperationId as, MessageGuid guid) {}

  /** As it is scheduled. */
  public static Operation scheduled(
      OperationId id, OperationSpec spec, ActivityLedger ledger, long order, Instant at) {
    OperationPhase phase = OperationPhase.TABLE.require(OperationPhase.NEW, first(spec), id);
    return new Operation(
        id,
        spec,
        ledger,
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

  /** As a new run takes it over from the one before it, which did not see it delivered. */
  public static Operation carried(
      OperationId id,
      OperationSpec spec,
      ActivityLedger ledger,
      long order,
      Instant at,
      Optional<OperationSpec.Content> then,
      Sent sent,
      boolean letGo) {
    OperationPhase sending = OperationPhase.TABLE.require(OperationPhase.NEW, Trigger.SEND, id);
    OperationPhase phase =
        letGo ? OperationPhase.TABLE.require(sending, Trigger.LET_GO, id) : sending;
    return new Operation(
        id, spec, ledger, phase, order, 1, 0, at, at, Optional.empty(), then, Optional.of(sent));
  }

  private static Trigger first(OperationSpec spec) {
    return switch (spec) {
      case OperationSpec.Step step -> Trigger.ATTEMPT;
      case OperationSpec.Activity activity -> Trigger.ATTEMPT;
      case OperationSpec.Child child -> Trigger.SEND;
      case OperationSpec.Message message -> Trigger.SEND;
      case OperationSpec.Timer timer -> Trigger.WAIT;
      case OperationSpec.SignalWait wait -> Trigger.WAIT;
      // Scheduled and recorded are one event for a value, so it is never open.
      case OperationSpec.Value value -> Trigger.RECORD;
    };
  }

  public OperationKind kind() {
    return spec.kind();
  }

  private Operation moved(Trigger trigger, ActivityLedger after) {
    OperationPhase to = OperationPhase.TABLE.require(phase, trigger, id);
    return new Operation(
        id,
        spec,
        after,
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

  public Operation attemptFailed(Failure failure, Instant retryAt, ActivityLedger after) {
    OperationPhase to = OperationPhase.TABLE.require(phase, Trigger.FAIL_ATTEMPT, id);
    return new Operation(
        id,
        spec,
        after,
        to,
        order,
        attempt + 1,
        attemptsBefore,
        scheduledAt,
        retryAt,
        Optional.of(failure),
        afterwards,
        sent);
  }

  public Operation attemptStarted(Instant at) {
    return moved(Trigger.NEXT_ATTEMPT, ledger).attemptedAt(at);
  }

  /** Due at once, as if it had been asked for just now and never tried. */
  public Operation retried(Instant at) {
    OperationPhase to = OperationPhase.TABLE.require(phase, Trigger.RETRY, id);
    return new Operation(
        id, spec, ledger, to, order, attempt, attempt - 1, at, at, lastFailure, afterwards, sent);
  }

  /** Which attempt it is of those that count. */
  public int attemptThatCounts() {
    return attempt - attemptsBefore;
  }

  /** A new owner hands it out again, and its attempt's time counts anew. */
  public Operation redelivered(Instant at, ActivityLedger after) {
    return moved(Trigger.REDELIVER, after).attemptedAt(at);
  }

  private Operation attemptedAt(Instant at) {
    return new Operation(
        id,
        spec,
        ledger,
        phase,
        order,
        attempt,
        attemptsBefore,
        scheduledAt,
        at,
        lastFailure,
        afterwards,
        sent);
  }

  public Operation acknowledged(ActivityLedger after) {
    return moved(Trigger.ACKNOWLEDGE, after);
  }

  /** Nobody waits for this child any more, which is asked to stop. */
  public Operation givenUp(ActivityLedger after) {
    return moved(Trigger.GIVE_UP, after);
  }

  public Operation letGo(Optional<OperationSpec.Content> then) {
    OperationPhase to = OperationPhase.TABLE.require(phase, Trigger.LET_GO, id);
    return new Operation(
        id,
        spec,
        ledger,
        to,
        order,
        attempt,
        attemptsBefore,
        scheduledAt,
        attemptAt,
        lastFailure,
        then,
        sent);
  }

  /** Checks that it may come out now; it then leaves the state. */
  public void requireOver(Trigger completeOrAbandon) {
    OperationPhase.TABLE.require(phase, completeOrAbandon, id);
  }

  /** When time alone moves it, empty when it does not. */
  public Optional<Instant> dueAt() {
    return switch (spec) {
      case OperationSpec.Attempted attempted -> dueAt(attempted);
      case OperationSpec.Timer timer -> Optional.of(timer.due().from(scheduledAt));
      case OperationSpec.SignalWait wait -> wait.timeout().map(scheduledAt::plus);
      case OperationSpec.Child child -> Optional.empty();
      case OperationSpec.Message message -> Optional.empty();
      case OperationSpec.Value value -> Optional.empty();
    };
  }

  private Optional<Instant> dueAt(OperationSpec.Attempted attempted) {
    Optional<Instant> total = attempted.timeouts().total().map(scheduledAt::plus);
    Optional<Instant> own =
        phase == OperationPhase.BACKING_OFF
            ? Optional.of(attemptAt)
            : attempted instanceof OperationSpec.Activity
                // It may wait for its turn, and its time counts from there: whoever runs it says.
                ? Optional.empty()
                : attempted.timeouts().attempt().map(attemptAt::plus);
    if (total.isEmpty() || own.isEmpty()) return own.isPresent() ? own : total;
    return total.get().isBefore(own.get()) ? total : own;
  }

  /** Whether the time for all attempts together is over. */
  public boolean isTotalTimeOver(OperationSpec.Attempted attempted, Instant now) {
    return attempted.timeouts().total().map(span -> !now.isBefore(end(span))).orElse(false);
  }

  private Instant end(Duration span) {
    return scheduledAt.plus(span);
  }
}
