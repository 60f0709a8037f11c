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
 * @param attemptAt when that attempt went out last, or goes out
 * @param lastFailure of the attempt before
 * @param afterwards what the child is told once it is known to exist, when nobody waits for it
 */
public record Operation(
    OperationId id,
    OperationSpec spec,
    ActivityLedger ledger,
    OperationPhase phase,
    long order,
    int attempt,
    Instant scheduledAt,
    Instant attemptAt,
    Optional<Failure> lastFailure,
    Optional<OperationSpec.Content> afterwards) {

  /** As it is scheduled. */
  public static Operation scheduled(
      OperationId id, OperationSpec spec, ActivityLedger ledger, long order, Instant at) {
    OperationPhase phase = OperationPhase.TABLE.require(OperationPhase.NEW, first(spec), id);
    return new Operation(
        id, spec, ledger, phase, order, 1, at, at, Optional.empty(), Optional.empty());
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
        id, spec, after, to, order, attempt, scheduledAt, attemptAt, lastFailure, afterwards);
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
        scheduledAt,
        retryAt,
        Optional.of(failure),
        afterwards);
  }

  public Operation attemptStarted(Instant at) {
    return moved(Trigger.NEXT_ATTEMPT, ledger).attemptedAt(at);
  }

  /** A new owner hands it out again, and its attempt's time counts anew. */
  public Operation redelivered(Instant at, ActivityLedger after) {
    return moved(Trigger.REDELIVER, after).attemptedAt(at);
  }

  private Operation attemptedAt(Instant at) {
    return new Operation(
        id, spec, ledger, phase, order, attempt, scheduledAt, at, lastFailure, afterwards);
  }

  public Operation acknowledged(ActivityLedger after) {
    return moved(Trigger.ACKNOWLEDGE, after);
  }

  public Operation letGo(Optional<OperationSpec.Content> then) {
    OperationPhase to = OperationPhase.TABLE.require(phase, Trigger.LET_GO, id);
    return new Operation(
        id, spec, ledger, to, order, attempt, scheduledAt, attemptAt, lastFailure, then);
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
