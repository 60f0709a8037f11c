package dev.tenure.workflow.kernel;

import dev.tenure.workflow.Attribute;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.collation.ActivityLedger;
import dev.tenure.workflow.collation.Inception;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What happened, as it is committed. An event that a message caused carries the integers as that
 * message left them: they commit together or not at all.
 */
public sealed interface Event {
  /** When it was committed, by the owner's clock; never before the event in front of it. */
  Instant at();

  /** An event about one operation. */
  sealed interface OfOperation extends Event {
    OperationId operation();
  }

  /** An event that one message caused, with its integers. */
  sealed interface OfMessage extends Event {
    Digits digits();
  }

  /**
   * The workflow exists. Its inception counts the run itself and what the run asked for first.
   *
   * @param run the ledger of run() itself
   */
  record Started(Instant at, Start start, Inception inception, ActivityLedger run)
      implements Event {}

  /**
   * One run has ended and the next has begun, of the same workflow and in the same commit. Nothing
   * before it is needed to go on: whoever folds a history may begin here. Its owner begins anew,
   * and performs nothing of the run that ended.
   *
   * @param start of the new run, with the attributes as they stand
   * @param inception counts the new run, and what the old one leaves to be delivered
   * @param newestSignal the position of the newest signal that was consumed in any run; 0 when none
   *     was
   * @param answers to updates that may be asked for again
   * @param updates that were not answered, in the order in which they came: the new run handles
   *     them
   */
  record ContinuedAsNew(
      Instant at,
      Start start,
      Inception inception,
      ActivityLedger run,
      long newestSignal,
      List<Answered> answers,
      List<Carried> carried,
      List<CarriedUpdate> updates)
      implements Event {
    public ContinuedAsNew {
      answers = List.copyOf(answers);
      carried = List.copyOf(carried);
      updates = List.copyOf(updates);
    }
  }

  /**
   * A run is over, and another start has begun a new one under the same id. As with {@link
   * ContinuedAsNew}, whoever folds a history may begin here. The new run knows nothing of the one
   * before it: what was left in the inbox is not for it.
   *
   * @param start of the new run, with the starts that it still recognises
   * @param inception counts the new run, and what the old one leaves to be delivered
   * @param newestSignal the position of the newest signal that was consumed in any run; 0 when none
   *     was
   * @param answers to updates of the old run that may be asked for again
   */
  record StartedAgain(
      Instant at,
      Start start,
      Inception inception,
      ActivityLedger run,
      long newestSignal,
      List<Answered> answers,
      List<Carried> carried)
      implements Event {
    public StartedAgain {
      answers = List.copyOf(answers);
      carried = List.copyOf(carried);
    }
  }

  /**
   * @param fingerprint of the update, so that another under its id is told from it
   */
  record Answered(String updateId, String fingerprint, Outcome outcome) {}

  /** What an ended run leaves to be delivered. */
  record Carried(
      OperationId operation,
      Operation.Sent sent,
      OperationSpec spec,
      ActivityLedger ledger,
      boolean letGo,
      Optional<OperationSpec.Content> then) {}

  /**
   * An update that the run before did not answer.
   *
   * @param admittedAt when the run before took it in
   */
  record CarriedUpdate(String updateId, String name, Payload payload, Instant admittedAt) {}

  /** Asked for, with everything it takes to carry it out: from here on it is an obligation. */
  record Scheduled(Instant at, OperationId operation, OperationSpec spec, ActivityLedger ledger)
      implements OfOperation {}

  /** This attempt failed, and the next follows. */
  record AttemptFailed(
      Instant at,
      OperationId operation,
      int attempt,
      Failure failure,
      Instant retryAt,
      Digits digits)
      implements OfOperation, OfMessage {}

  /** The delay is over, this attempt goes out. */
  record AttemptStarted(Instant at, OperationId operation, int attempt) implements OfOperation {}

  /** A person has it tried again now, with its attempts and its time counted anew. */
  record Retried(Instant at, OperationId operation) implements OfOperation {}

  /** What was in flight with an earlier owner goes out again. */
  record Redelivered(Instant at, List<Redelivery> operations) implements Event {
    public Redelivered {
      operations = List.copyOf(operations);
    }
  }

  record Redelivery(OperationId operation, ActivityLedger ledger) {}

  record ChildStarted(Instant at, OperationId operation, Digits digits)
      implements OfOperation, OfMessage {}

  /** It came out, and left the state: what the program learns is here. */
  record Completed(Instant at, OperationId operation, Outcome outcome, Digits digits)
      implements OfOperation, OfMessage {}

  /** It came out with a signal, which leaves the inbox in the same commit (I13). */
  record SignalConsumed(Instant at, OperationId operation, Command.Arrival arrival, Digits digits)
      implements OfOperation, OfMessage {}

  /**
   * The signal is back in the inbox, at its place (I14): the program never received it. Its wait
   * was given up, or the run ended, before the program learned that the wait was over.
   *
   * <p>Its payload is on record where it was consumed, and is not written again: the end of a run
   * may give back more than one commit holds.
   *
   * @param operation the wait that had consumed it, which is over
   * @param position where it stood in the inbox, and stands again
   */
  record SignalReturned(Instant at, OperationId operation, String signal, long position)
      implements Event {}

  /** A value of the program's own making. */
  record ValueRecorded(Instant at, OperationId operation, Payload value, Digits digits)
      implements OfOperation, OfMessage {}

  /** Nobody wants it any more: the program cancelled it, or the workflow ended. */
  record Abandoned(Instant at, OperationId operation, Digits digits)
      implements OfOperation, OfMessage {}

  /**
   * Nobody waits for it any more, but it is delivered first: what follows it must not overtake it.
   *
   * @param then what its child is told once it is known to exist
   */
  record LetGo(Instant at, OperationId operation, Optional<OperationSpec.Content> then)
      implements OfOperation {}

  /**
   * The program no longer waits for this child, which is asked to stop. Its parent-close policy
   * still holds: when the run ends before the child does, the child is terminated.
   */
  record GivenUp(Instant at, OperationId operation, Digits digits)
      implements OfOperation, OfMessage {}

  record AttributesChanged(Instant at, Map<String, Attribute> changes) implements Event {
    public AttributesChanged {
      changes = Map.copyOf(changes);
    }
  }

  record CancelRequested(Instant at, String reason, Digits digits) implements OfMessage {}

  /**
   * The execution timeout is over: the program is asked to stop, and has some time to undo what it
   * did.
   *
   * @param asks false when it had been asked before
   */
  record DeadlinePassed(Instant at, boolean asks, Digits digits) implements OfMessage {}

  record Paused(Instant at, String reason) implements Event {}

  record Resumed(Instant at, Digits digits) implements OfMessage {}

  record Blocked(Instant at, String reason) implements Event {}

  record Unblocked(Instant at, Digits digits) implements OfMessage {}

  record IncidentRaised(Instant at, Incident incident) implements Event {}

  record IncidentResolved(Instant at, String note, Digits digits) implements OfMessage {}

  /** From here on the run is one of that version. Whatever held it, but a pause, is over. */
  record Repinned(Instant at, int version, String note, Digits digits) implements OfMessage {}

  record UpdateAdmitted(Instant at, String updateId, String name, Payload payload, Digits digits)
      implements OfMessage {}

  record UpdateAnswered(Instant at, String updateId, Outcome outcome) implements Event {}

  /**
   * The code asks for more than is on record, and no message caused that: it is newer than the code
   * that ran before, or it begins the next run, or it asked for more than one commit holds.
   */
  record CodeRevised(Instant at, Digits digits) implements OfMessage {}

  /** All before it was copied from another workflow; its own life, and its time, begin here. */
  record Forked(Instant at, Fork.Source source) implements Event {}

  /** The outcome is decided. Nothing of the program follows, only what is still to be delivered. */
  record Ended(Instant at, Outcome outcome, Digits digits) implements OfMessage {}

  /** The last obligation is discharged (I11). Nothing of this run follows (I4). */
  record Closed(Instant at) implements Event {}
}
