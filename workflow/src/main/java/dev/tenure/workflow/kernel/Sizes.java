package dev.tenure.workflow.kernel;

import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.operation.ActivityCall;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;

/**
 * The sizes of the payloads in events, and of what the end of a run writes for its open operations.
 */
public final class Sizes {
  /** Kinds, lengths and flags around an outcome or a failure. */
  private static final int FRAME_BYTES = 64;

  /** Kind, time and integers of an event, with the lengths of its texts. */
  private static final int EVENT_BYTES = 64;

  /** Of the event that sends a child a message, without the child's id: a GUID and a reason. */
  private static final int NOTICE_BYTES = 144;

  private static final int LENGTH_BYTES = 4;

  /** Priority, limits, spans and the lengths of the texts. */
  private static final int QUEUEING_BYTES = 64;

  private Sizes() {}

  /** Of the event's payload; 0 when it carries none. */
  public static int payloadBytes(Event event) {
    return switch (event) {
      case Event.Completed e -> bytes(e.outcome());
      case Event.Scheduled e -> e.spec().payload().size();
      case Event.SignalConsumed e -> e.arrival().payload().size();
      case Event.ValueRecorded e -> e.value().size();
      case Event.UpdateAdmitted e -> e.payload().size();
      case Event.UpdateAnswered e -> bytes(e.outcome());
      case Event.Ended e -> bytes(e.outcome());
      case Event.SignalReturned e -> 0;
      case Event.Spawned e -> 0;
      case Event.Reentered e -> 0;
      case Event.SourceChildStarted e -> 0;
      case Event.SourceSignalNotReceived e -> 0;
      case Event.Forked e -> 0;
      case Event.ChildStarted e -> 0;
      case Event.Abandoned e -> 0;
      case Event.LetGo e -> 0;
      case Event.GivenUp e -> 0;
      case Event.AttributesChanged e -> 0;
      case Event.CancelRequested e -> 0;
      case Event.DeadlinePassed e -> 0;
      case Event.BeginsRun e -> e.start().input().size();
      case Event.OfEngine e -> 0;
    };
  }

  /**
   * How many bytes the texts of a request have at most, besides its id: the names of an activity
   * and of its queue, keys, types of failures. 0 for any other event.
   */
  public static long requestBytes(Event event) {
    if (!(event instanceof Event.Scheduled scheduled)
        || !(scheduled.spec() instanceof OperationSpec.Attempted attempted)) return 0;
    long bytes = 0;
    for (String type : attempted.retry().neverFor()) bytes += LENGTH_BYTES + textBytesMax(type);
    for (String type : attempted.retry().attemptsFor().keySet())
      bytes += 2 * LENGTH_BYTES + textBytesMax(type);
    return attempted instanceof OperationSpec.Activity activity
        ? bytes + textBytesMax(activity.activity()) + callBytes(activity.call())
        : bytes;
  }

  private static long callBytes(ActivityCall call) {
    long key = call.idempotencyKey().map(Sizes::textBytesMax).orElse(0L);
    return key
        + call.queueing()
            .map(
                queueing ->
                    QUEUEING_BYTES
                        + textBytesMax(queueing.queue())
                        + textBytesMax(queueing.fairnessKey())
                        + textBytesMax(queueing.resource()))
            .orElse(0L);
  }

  /**
   * How many bytes an outcome has at most where it is recorded; values that are kept apart count in
   * full.
   */
  public static long bytesMax(Outcome outcome) {
    return FRAME_BYTES
        + switch (outcome) {
          case Outcome.Succeeded(Payload value) -> value.size();
          case Outcome.Failed(Failure failure) -> bytesMax(failure);
          case Outcome.Cancelled(String reason) -> textBytesMax(reason);
          case Outcome.Terminated(String reason) -> textBytesMax(reason);
          case Outcome.TimedOut(String what) -> textBytesMax(what);
        };
  }

  static long openBytes(Operation operation) {
    return openBytes(operation.id(), operation.spec());
  }

  /**
   * How many bytes the end of the run writes at most because the operation is open. A recovery
   * writes fewer. It depends on nothing that changes while the operation is open.
   */
  static long openBytes(OperationId id, OperationSpec spec) {
    long discharged = EVENT_BYTES + textBytesMax(id.value());
    return switch (spec) {
      // The end leaves it to be delivered, and writes nothing.
      case OperationSpec.Message _ when id.isEngines() -> 0;
      case OperationSpec.Child child ->
          discharged + NOTICE_BYTES + textBytesMax(child.id().value());
      // The signal may have come while the run stood still, and is given back.
      case OperationSpec.SignalWait wait -> 2 * discharged + textBytesMax(wait.signal());
      case OperationSpec.Message _,
          OperationSpec.Attempted _,
          OperationSpec.Timer _,
          OperationSpec.Recorded _ ->
          discharged;
    };
  }

  /** Of the event that gives a signal back. */
  static long returnedBytes(OperationId id, String signal) {
    return EVENT_BYTES + textBytesMax(id.value()) + textBytesMax(signal);
  }

  static long bytesMax(Failure failure) {
    return FRAME_BYTES
        + textBytesMax(failure.type())
        + textBytesMax(failure.message())
        + textBytesMax(failure.stackText())
        + failure.code().map(Sizes::textBytesMax).orElse(0L)
        + failure.cause().map(Sizes::bytesMax).orElse(0L);
  }

  /** UTF-8, or two bytes for each char where a lone surrogate has no such form. */
  static long textBytesMax(String text) {
    if (text == null) return 0;
    long bytes = 0;
    boolean surrogates = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      bytes += c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
      surrogates |= Character.isSurrogate(c);
    }
    return surrogates ? Math.max(bytes, 2L * text.length()) : bytes;
  }

  private static int bytes(Outcome outcome) {
    return outcome instanceof Outcome.Succeeded(Payload value) ? value.size() : 0;
  }
}
