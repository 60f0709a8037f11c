package dev.tenure.workflow.kernel;

import dev.tenure.workflow.Attribute;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.collation.ActivityLedger;
import dev.tenure.workflow.collation.Inception;
import dev.tenure.workflow.collation.Parent;
import dev.tenure.workflow.operation.MessageContent;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationKind;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;
import dev.tenure.workflow.operation.Place;
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

  /** The first event of a run. */
  sealed interface BeginsRun extends Event {
    Start start();
  }

  /** An event about the run as a whole. */
  sealed interface OfRun extends Event {}

  /**
   * An event of the engine or of its operators. The program neither asked for it nor learns of it,
   * a replay passes over it, and it carries no payload.
   */
  sealed interface OfEngine extends Event {}

  /** An event that one message caused, with its integers. */
  sealed interface OfMessage extends Event {
    Digits digits();
  }

  /**
   * The workflow exists. Its inception counts the run itself and what the code asked for first; a
   * graph's counts its trigger, until that has asked for all its children.
   *
   * @param run the ledger of run() itself
   */
  record Started(Instant at, Start start, Inception inception, ActivityLedger run)
      implements BeginsRun {}

  /**
   * One run has ended and the next has begun, of the same workflow and in the same commit. Nothing
   * before it is needed to go on: a reader may begin to fold the history here. The owner begins
   * anew, and performs no effect of the run that ended.
   *
   * @param start of the new run, with the attributes as they stand
   * @param inception counts the new run; what the old one leaves to be delivered is no activity
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
      implements BeginsRun {
    public ContinuedAsNew {
      answers = List.copyOf(answers);
      carried = List.copyOf(carried);
      updates = List.copyOf(updates);
    }
  }

  /**
   * A run is over, and another start has begun a new one under the same id. As with {@link
   * ContinuedAsNew}, a reader may begin to fold the history here. The new run knows nothing of the
   * one before it, and does not get the signals that were left in the inbox.
   *
   * @param start of the new run, with the starts that it still recognises
   * @param inception counts the new run; what the old one leaves to be delivered is no activity
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
      implements BeginsRun {
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
      Optional<MessageContent> then) {

    /**
     * Whether it asks for the same as an operation of the run before. That a signal is for a child
     * is said in other words: the child's start goes over under another name.
     */
    public boolean asks(OperationSpec before) {
      return anyChild(spec).equals(anyChild(before));
    }

    private static OperationSpec anyChild(OperationSpec spec) {
      return spec instanceof OperationSpec.Message(var to, MessageContent.Signal signal)
          ? new OperationSpec.Message(to, signal.withChild(Optional.empty()))
          : spec;
    }
  }

  /**
   * An update that the run before did not answer.
   *
   * @param admittedAt when the run before took it in
   */
  record CarriedUpdate(String updateId, String name, Payload payload, Instant admittedAt) {}

  /** The graph's trigger has asked for all its children, whose number the semaphore holds now. */
  record Published(Instant at, Inception inception) implements OfRun, OfEngine {}

  /** Asked for, with everything it takes to carry it out: from here on it is an obligation. */
  record Scheduled(
      Instant at, OperationId operation, OperationSpec spec, ActivityLedger ledger, Place place)
      implements OfOperation {
    public Scheduled(Instant at, OperationId operation, OperationSpec spec, ActivityLedger ledger) {
      this(at, operation, spec, ledger, Place.usual(spec.kind()));
    }
  }

  /**
   * The message that a graph's operation was answered with has its step 2: its children are asked
   * for, and the semaphore has moved.
   *
   * @param parent whether the operation is over with it, or stays open for more messages
   */
  record Spawned(Instant at, OperationId operation, Parent parent, Digits digits)
      implements OfOperation, OfMessage {}

  /**
   * A cycle has entered its ancestor again. The obligation is that entry's: it is over when its
   * children are asked for.
   *
   * @param operation the cycle
   * @param ledger the cycle's own
   * @param digits of the ancestor's message
   * @param unreachable other ancestors that nothing leads back to any more
   */
  record Reentered(
      Instant at,
      OperationId operation,
      OperationId pivot,
      ActivityLedger ledger,
      Place place,
      List<OperationId> unreachable,
      Digits digits)
      implements OfOperation, OfMessage {
    public Reentered {
      unreachable = List.copyOf(unreachable);
    }
  }

  /** This attempt failed, and the next follows. */
  record AttemptFailed(
      Instant at,
      OperationId operation,
      int attempt,
      Failure failure,
      Instant retryAt,
      Digits digits)
      implements OfOperation, OfEngine, OfMessage {}

  /** The delay before this attempt is over, and the attempt goes out. */
  record AttemptStarted(Instant at, OperationId operation, int attempt)
      implements OfOperation, OfEngine {}

  /**
   * A person had the operation tried again now, with its attempts and its time counted anew.
   *
   * @param unproven whether it is run although it may have had its effect: the person said so
   */
  record Retried(Instant at, OperationId operation, boolean unproven)
      implements OfOperation, OfEngine {
    public Retried(Instant at, OperationId operation) {
      this(at, operation, false);
    }
  }

  /**
   * A person said how an activity came out. The outcome itself follows in the same commit.
   *
   * @param note why
   */
  record Concluded(Instant at, OperationId operation, String note)
      implements OfOperation, OfEngine {}

  /** What was in flight with an earlier owner goes out again. */
  record Redelivered(Instant at, List<Redelivery> operations) implements OfEngine {
    public Redelivered {
      operations = List.copyOf(operations);
    }
  }

  record Redelivery(OperationId operation, ActivityLedger ledger) {}

  record ChildStarted(Instant at, OperationId operation, Digits digits)
      implements OfOperation, OfMessage {}

  /**
   * It came out: what the program learns is here. It has left the state, unless it is a graph's:
   * that one is over with its step 2.
   */
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
  record ValueRecorded(Instant at, OperationId operation, Payload value, Digits digits, Place place)
      implements OfOperation, OfMessage {
    public ValueRecorded(Instant at, OperationId operation, Payload value, Digits digits) {
      this(at, operation, value, digits, Place.usual(OperationKind.VALUE));
    }
  }

  /**
   * The operation is not needed any more: the program cancelled it, or the workflow ended.
   *
   * @param noChild of a child that the workflow has not: its start was refused, or it is the child
   *     of the workflow that this one was forked from
   */
  record Abandoned(Instant at, OperationId operation, Digits digits, boolean noChild)
      implements OfOperation, OfMessage {
    public Abandoned(Instant at, OperationId operation, Digits digits) {
      this(at, operation, digits, false);
    }
  }

  /**
   * The program no longer waits for the operation, so its obligation is over. The message is
   * delivered all the same, and later messages to the same workflow must not overtake it.
   *
   * @param then what its child is told once it is known to exist
   */
  record LetGo(Instant at, OperationId operation, Optional<MessageContent> then, Digits digits)
      implements OfOperation, OfMessage {}

  /**
   * The program no longer waits for this child, which is asked to stop: its obligation is over. Its
   * parent-close policy still holds: when the run ends before the child does, the child is
   * terminated.
   */
  record GivenUp(Instant at, OperationId operation, Digits digits)
      implements OfOperation, OfMessage {}

  record AttributesChanged(Instant at, Map<String, Attribute> changes) implements OfRun {
    public AttributesChanged {
      changes = Map.copyOf(changes);
    }
  }

  record CancelRequested(Instant at, String reason, Digits digits) implements OfRun, OfMessage {}

  /**
   * The execution timeout is over: the program is asked to stop, and has some time to undo what it
   * did.
   *
   * @param asks false when it had been asked before
   */
  record DeadlinePassed(Instant at, boolean asks, Digits digits) implements OfRun, OfMessage {}

  record Paused(Instant at, String reason) implements OfRun, OfEngine {}

  record Resumed(Instant at, Digits digits) implements OfRun, OfEngine, OfMessage {}

  record Blocked(Instant at, String reason) implements OfRun, OfEngine {}

  record Unblocked(Instant at, Digits digits) implements OfRun, OfEngine, OfMessage {}

  record IncidentRaised(Instant at, Incident incident) implements OfRun, OfEngine {}

  record IncidentResolved(Instant at, String note, Digits digits)
      implements OfRun, OfEngine, OfMessage {}

  /** From here on the run is one of that version. Incident and block are over; a pause stays. */
  record Repinned(Instant at, int version, String note, Digits digits)
      implements OfRun, OfEngine, OfMessage {}

  record UpdateAdmitted(Instant at, String updateId, String name, Payload payload, Digits digits)
      implements OfRun, OfMessage {}

  record UpdateAnswered(Instant at, String updateId, Outcome outcome) implements OfRun {}

  /**
   * The code asks for more than is on record, and no message caused that: it is newer than the code
   * that ran before, or it begins the next run, or it asked for more than one commit holds.
   */
  record CodeRevised(Instant at, Digits digits) implements OfRun, OfEngine, OfMessage {}

  /**
   * In a fork: the program had learned that this child of the workflow it was forked from existed,
   * before the operation from which the fork begins. That child is the other workflow's. The
   * program learns the same at the same place, and asks for a child of its own.
   */
  record SourceChildStarted(Instant at, OperationId operation) implements Event {}

  /**
   * In a fork: the program of the workflow it was forked from was told here of a signal, and never
   * received it. That signal is the other workflow's. The program learns how late it is, and its
   * run is as long as the other was, because it may have decided by both.
   *
   * @param operation the wait that had consumed it there
   * @param bytes of the signal's payload
   */
  record SourceSignalNotReceived(Instant at, OperationId operation, int bytes) implements Event {}

  /** All before it was copied from another workflow; its own life, and its time, begin here. */
  record Forked(Instant at, Fork.Source source) implements OfRun {}

  /**
   * The outcome is decided, and no activity is open any more (I11). Nothing of the program follows,
   * only what is still to be delivered.
   */
  record Ended(Instant at, Outcome outcome, Digits digits) implements OfRun, OfMessage {}

  /** Everything is delivered. Nothing of this run follows (I4). */
  record Closed(Instant at) implements OfRun, OfEngine {}
}
