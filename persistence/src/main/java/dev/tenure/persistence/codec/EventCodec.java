package dev.tenure.persistence.codec;

import dev.tenure.persistence.format.FormatLevel;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Trace;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.SignalContent;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationKind;
import dev.tenure.workflow.operation.OperationSpec;
import java.time.Instant;
import java.util.Optional;

/**
 * Events as they stand in the journal: kind, version of the kind, length, moment, fields in their
 * order. Fields are only ever added behind the others, and readers pass over those they do not
 * know; a change that an older reader would misunderstand raises the version of the kind. Numbers
 * of kinds are never used again.
 */
public final class EventCodec {
  /** The version of events that hold their payloads in full. */
  private static final int PLAIN = 1;

  /** The version of events that refer to payloads which are kept apart. */
  private static final int REFERRING = 2;

  /**
   * The version of calls that have a key or a queue. An older engine would pass over what it does
   * not know of them, and run a call again that may have had its effect.
   */
  private static final int GUARDED = 3;

  /** The newest version of all kinds so far. */
  static final int VERSION = GUARDED;

  /**
   * In place of the kind: the event has the form of the trial. Its kind follows as a field, so an
   * engine that does not read that level cannot even pass over it.
   */
  private static final int TRIAL_KIND = 255;

  private EventCodec() {}

  /** The level of formats from which on engines read a kind in a version. */
  static int level(int kind, int version) {
    if (kind == TRIAL_KIND) return FormatLevel.TRIAL;
    // All kinds and versions so far came before the first release.
    return FormatLevel.FIRST;
  }

  /** In the newest form that may be written; see {@link FormatLevel}. */
  public static void write(BinaryWriter out, Event event) {
    if (out.level() >= FormatLevel.TRIAL && event instanceof Event.Paused paused) {
      writeTrial(out, paused);
      return;
    }
    out.byteOf(kind(event));
    int version = out.position();
    int references = out.references();
    out.byteOf(PLAIN);
    int record = out.begin();
    out.moment(event.at());
    fields(out, event);
    out.end(record);
    if (isGuarded(event)) out.patch(version, GUARDED);
    // An older engine would take the reference for a damaged length: it is told not to try.
    else if (out.references() > references) out.patch(version, REFERRING);
  }

  private static void writeTrial(BinaryWriter out, Event.Paused event) {
    out.byteOf(TRIAL_KIND);
    out.byteOf(PLAIN);
    int record = out.begin();
    out.moment(event.at());
    out.byteOf(kind(event));
    fields(out, event);
    out.end(record);
  }

  private static boolean isGuarded(Event event) {
    return event instanceof Event.Scheduled scheduled
        && scheduled.spec() instanceof OperationSpec.Activity activity
        && (activity.isKeyed() || activity.isQueued());
  }

  private static int kind(Event event) {
    return switch (event) {
      case Event.Started e -> 1;
      case Event.Scheduled e -> 2;
      case Event.AttemptFailed e -> 3;
      case Event.AttemptStarted e -> 4;
      case Event.Redelivered e -> 5;
      case Event.ChildStarted e -> 6;
      case Event.Completed e -> 7;
      case Event.SignalConsumed e -> 8;
      case Event.ValueRecorded e -> 9;
      case Event.Abandoned e -> 10;
      case Event.LetGo e -> 11;
      case Event.AttributesChanged e -> 12;
      case Event.CancelRequested e -> 13;
      case Event.Paused e -> 14;
      case Event.Resumed e -> 15;
      case Event.Blocked e -> 16;
      case Event.Unblocked e -> 17;
      case Event.IncidentRaised e -> 18;
      case Event.IncidentResolved e -> 19;
      case Event.UpdateAdmitted e -> 20;
      case Event.UpdateAnswered e -> 21;
      case Event.CodeRevised e -> 22;
      case Event.Ended e -> 23;
      case Event.Closed e -> 24;
      case Event.ContinuedAsNew e -> 25;
      case Event.DeadlinePassed e -> 26;
      case Event.Repinned e -> 27;
      case Event.Retried e -> 30;
      case Event.Forked e -> 31;
      case Event.StartedAgain e -> 32;
      case Event.SignalReturned e -> 33;
      case Event.GivenUp e -> 34;
      case Event.SourceChildStarted e -> 35;
      case Event.Published e -> 36;
      case Event.Spawned e -> 37;
      case Event.Reentered e -> 38;
      case Event.SourceSignalNotReceived e -> 39;
      case Event.Concluded e -> 40;
    };
  }

  private static void fields(BinaryWriter out, Event event) {
    if (event instanceof Event.OfOperation e) OutcomeCodec.operation(out, e.operation());
    if (event instanceof Event.OfMessage e) DigitsCodec.digits(out, e.digits());
    switch (event) {
      case Event.Started e -> {
        RunCodec.start(out, e.start());
        DigitsCodec.inception(out, e.inception());
        DigitsCodec.ledger(out, e.run());
      }
      case Event.Scheduled e -> {
        SpecCodec.spec(out, e.spec());
        DigitsCodec.ledger(out, e.ledger());
        GraphCodec.place(out, e.place(), e.spec().kind());
      }
      case Event.Published e -> DigitsCodec.inception(out, e.inception());
      case Event.Spawned e -> GraphCodec.spawned(out, e);
      case Event.Reentered e -> GraphCodec.reentered(out, e);
      case Event.AttemptFailed e -> {
        out.number(e.attempt());
        OutcomeCodec.failure(out, e.failure());
        out.instant(e.retryAt());
      }
      case Event.AttemptStarted e -> out.number(e.attempt());
      // Added later, and only written where it says something: see the golden files.
      case Event.Retried e -> {
        if (e.unproven()) out.flag(true);
      }
      case Event.Concluded e -> out.text(e.note());
      case Event.SourceChildStarted e -> OutcomeCodec.operation(out, e.operation());
      case Event.SourceSignalNotReceived e -> {
        OutcomeCodec.operation(out, e.operation());
        out.number(e.bytes());
      }
      case Event.Forked e -> RunCodec.source(out, e.source());
      case Event.Redelivered e ->
          out.all(
              e.operations(),
              (o, each) -> {
                int record = o.begin();
                OutcomeCodec.operation(o, each.operation());
                DigitsCodec.ledger(o, each.ledger());
                o.end(record);
              });
      case Event.ChildStarted e -> {}
      case Event.Completed e -> OutcomeCodec.outcome(out, e.outcome());
      case Event.SignalConsumed e -> arrival(out, e.arrival());
      case Event.ValueRecorded e -> {
        OutcomeCodec.payload(out, e.value());
        GraphCodec.place(out, e.place(), OperationKind.VALUE);
      }
      case Event.Abandoned e -> out.flag(e.noChild());
      case Event.LetGo e -> out.optional(e.then(), SpecCodec::content);
      case Event.GivenUp e -> {}
      case Event.SignalReturned e -> {
        OutcomeCodec.operation(out, e.operation());
        out.text(e.signal());
        out.number(e.position());
      }
      case Event.AttributesChanged e -> OutcomeCodec.attributes(out, e.changes());
      case Event.CancelRequested e -> out.text(e.reason());
      case Event.Paused e -> out.text(e.reason());
      case Event.Resumed e -> {}
      case Event.Blocked e -> out.text(e.reason());
      case Event.Unblocked e -> {}
      case Event.IncidentRaised e -> IncidentCodec.incident(out, e.incident());
      case Event.IncidentResolved e -> out.text(e.note());
      case Event.UpdateAdmitted e -> {
        out.text(e.updateId());
        out.text(e.name());
        OutcomeCodec.payload(out, e.payload());
      }
      case Event.UpdateAnswered e -> {
        out.text(e.updateId());
        OutcomeCodec.outcome(out, e.outcome());
      }
      case Event.CodeRevised e -> {}
      case Event.Ended e -> OutcomeCodec.outcome(out, e.outcome());
      case Event.Closed e -> {}
      case Event.ContinuedAsNew e -> RunCodec.continued(out, e);
      case Event.StartedAgain e -> RunCodec.startedAgain(out, e);
      case Event.DeadlinePassed e -> out.flag(e.asks());
      case Event.Repinned e -> {
        out.number(e.version());
        out.text(e.note());
      }
    }
  }

  /** Throws {@link PersistedEntryIncompatibleError} for what only a newer engine understands. */
  public static Event read(BinaryReader in) {
    int kind = in.byteOf();
    int version = in.byteOf();
    if (version > VERSION) {
      throw new PersistedEntryIncompatibleError("an event of kind " + kind, version, VERSION);
    }
    if (level(kind, version) > in.level())
      throw new PersistedEntryIncompatibleError("an event", kind);
    int outer = in.begin();
    Instant at = in.moment();
    if (kind == TRIAL_KIND) kind = in.byteOf();
    Event event = isOfOperation(kind) ? ofOperation(in, kind, at) : ofWorkflow(in, kind, at);
    in.end(outer);
    return event;
  }

  private static boolean isOfOperation(int kind) {
    return kind >= 2 && kind <= 11 && kind != 5
        || kind == 30
        || kind == 34
        || kind == 37
        || kind == 38
        || kind == 40;
  }

  private static Event ofOperation(BinaryReader in, int kind, Instant at) {
    OperationId operation = OutcomeCodec.operation(in);
    return switch (kind) {
      case 2 -> {
        OperationSpec spec = SpecCodec.spec(in);
        yield new Event.Scheduled(
            at, operation, spec, DigitsCodec.ledger(in), GraphCodec.place(in, spec.kind()));
      }
      case 3 -> {
        var digits = DigitsCodec.digits(in);
        int attempt = in.smallNumber();
        Failure failure = OutcomeCodec.failure(in);
        yield new Event.AttemptFailed(at, operation, attempt, failure, in.instant(), digits);
      }
      case 4 -> new Event.AttemptStarted(at, operation, in.smallNumber());
      case 6 -> new Event.ChildStarted(at, operation, DigitsCodec.digits(in));
      case 7 -> {
        var digits = DigitsCodec.digits(in);
        yield new Event.Completed(at, operation, OutcomeCodec.outcome(in), digits);
      }
      case 8 -> {
        var digits = DigitsCodec.digits(in);
        yield new Event.SignalConsumed(at, operation, arrival(in), digits);
      }
      case 9 -> {
        var digits = DigitsCodec.digits(in);
        yield new Event.ValueRecorded(
            at,
            operation,
            OutcomeCodec.payload(in),
            digits,
            GraphCodec.place(in, OperationKind.VALUE));
      }
      case 10 -> new Event.Abandoned(at, operation, DigitsCodec.digits(in), in.flag());
      case 11 -> {
        var digits = DigitsCodec.digits(in);
        yield new Event.LetGo(at, operation, in.optional(SpecCodec::content), digits);
      }
      case 30 -> new Event.Retried(at, operation, in.hasMore() && in.flag());
      case 40 -> new Event.Concluded(at, operation, in.text());
      case 34 -> new Event.GivenUp(at, operation, DigitsCodec.digits(in));
      case 37 -> GraphCodec.spawned(in, at, operation);
      case 38 -> GraphCodec.reentered(in, at, operation);
      default -> throw new PersistedEntryIncompatibleError("an event", kind);
    };
  }

  private static Event ofWorkflow(BinaryReader in, int kind, Instant at) {
    return switch (kind) {
      case 1 ->
          new Event.Started(
              at, RunCodec.start(in), DigitsCodec.inception(in), DigitsCodec.ledger(in));
      case 5 -> new Event.Redelivered(at, in.all(EventCodec::redelivery));
      case 12 -> new Event.AttributesChanged(at, OutcomeCodec.attributes(in));
      case 13 -> {
        var digits = DigitsCodec.digits(in);
        yield new Event.CancelRequested(at, in.text(), digits);
      }
      case 14 -> new Event.Paused(at, in.text());
      case 15 -> new Event.Resumed(at, DigitsCodec.digits(in));
      case 16 -> new Event.Blocked(at, in.text());
      case 17 -> new Event.Unblocked(at, DigitsCodec.digits(in));
      case 18 -> new Event.IncidentRaised(at, IncidentCodec.incident(in));
      case 19 -> {
        var digits = DigitsCodec.digits(in);
        yield new Event.IncidentResolved(at, in.text(), digits);
      }
      case 20 -> {
        var digits = DigitsCodec.digits(in);
        yield new Event.UpdateAdmitted(at, in.text(), in.text(), OutcomeCodec.payload(in), digits);
      }
      case 21 -> new Event.UpdateAnswered(at, in.text(), OutcomeCodec.outcome(in));
      case 22 -> new Event.CodeRevised(at, DigitsCodec.digits(in));
      case 23 -> {
        var digits = DigitsCodec.digits(in);
        yield new Event.Ended(at, OutcomeCodec.outcome(in), digits);
      }
      case 36 -> new Event.Published(at, DigitsCodec.inception(in));
      case 33 -> new Event.SignalReturned(at, OutcomeCodec.operation(in), in.text(), in.number());
      case 35 -> new Event.SourceChildStarted(at, OutcomeCodec.operation(in));
      case 39 ->
          new Event.SourceSignalNotReceived(at, OutcomeCodec.operation(in), in.smallNumber());
      case 31 -> new Event.Forked(at, RunCodec.source(in));
      case 24 -> new Event.Closed(at);
      case 25 -> RunCodec.continued(in, at);
      case 32 -> RunCodec.startedAgain(in, at);
      case 26 -> {
        var digits = DigitsCodec.digits(in);
        yield new Event.DeadlinePassed(at, in.flag(), digits);
      }
      case 27 -> {
        var digits = DigitsCodec.digits(in);
        yield new Event.Repinned(at, in.smallNumber(), in.text(), digits);
      }
      default -> throw new PersistedEntryIncompatibleError("an event", kind);
    };
  }

  private static Event.Redelivery redelivery(BinaryReader in) {
    int outer = in.begin();
    var redelivery = new Event.Redelivery(OutcomeCodec.operation(in), DigitsCodec.ledger(in));
    in.end(outer);
    return redelivery;
  }

  static void arrival(BinaryWriter out, Command.Arrival arrival) {
    int record = out.begin();
    out.text(arrival.signal());
    out.number(arrival.position());
    out.text(arrival.signalId());
    OutcomeCodec.payload(out, arrival.payload());
    // Added later, and only written where there is one: see the golden files.
    if (arrival.trace().isPresent()) out.text(arrival.trace().get().traceparent());
    out.end(record);
  }

  static Command.Arrival arrival(BinaryReader in) {
    int outer = in.begin();
    var arrival =
        new Command.Arrival(
            in.text(),
            in.number(),
            in.text(),
            new SignalContent(
                OutcomeCodec.payload(in), in.hasMore() ? Trace.of(in.text()) : Optional.empty()));
    in.end(outer);
    return arrival;
  }
}
