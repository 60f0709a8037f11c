package dev.tenure.persistence.codec;

import dev.tenure.workflow.collation.ActivityKind;
import dev.tenure.workflow.collation.DimensionalAddress;
import dev.tenure.workflow.collation.Parent;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationKind;
import dev.tenure.workflow.operation.Place;
import java.time.Instant;

/** What only the operations of graphs have: their places, and the two records of a message. */
final class GraphCodec {
  private GraphCodec() {}

  /** Which activity of its graph an operation is; of the usual one nothing is written. */
  static void place(BinaryWriter out, Place place, OperationKind kind) {
    if (place.equals(Place.usual(kind))) return;
    out.byteOf(activity(place.kind()));
    out.text(place.address().path());
    out.optional(place.cause(), OutcomeCodec::operation);
  }

  static Place place(BinaryReader in, OperationKind kind) {
    if (!in.hasMore()) return Place.usual(kind);
    return new Place(
        activity(in.byteOf()),
        new DimensionalAddress(in.text()),
        in.optional(OutcomeCodec::operation));
  }

  private static int activity(ActivityKind kind) {
    return switch (kind) {
      case TRIGGER -> 1;
      case WORKER -> 2;
      case AWAIT -> 3;
      case TIME_HOOK -> 4;
      case WEB_HOOK -> 5;
      case PASSTHROUGH -> 6;
      case SIGNAL -> 7;
      case INTERRUPT_ANOTHER -> 8;
      case SELF_INTERRUPT -> 9;
      case CYCLE -> 10;
      case PIVOT -> 11;
      case TIME_PIVOT -> 12;
      case WEB_PIVOT -> 13;
    };
  }

  private static ActivityKind activity(int code) {
    for (ActivityKind kind : ActivityKind.values()) if (activity(kind) == code) return kind;
    throw new PersistedEntryIncompatibleError("a kind of activity", code);
  }

  static void spawned(BinaryWriter out, Event.Spawned event) {
    out.flag(event.parent() == Parent.STAYS_OPEN);
  }

  static Event spawned(BinaryReader in, Instant at, OperationId operation) {
    var digits = DigitsCodec.digits(in);
    Parent parent = in.flag() ? Parent.STAYS_OPEN : Parent.CLOSES;
    return new Event.Spawned(at, operation, parent, digits);
  }

  static void reentered(BinaryWriter out, Event.Reentered event) {
    OutcomeCodec.operation(out, event.pivot());
    DigitsCodec.ledger(out, event.ledger());
    out.all(event.unreachable(), OutcomeCodec::operation);
    place(out, event.place(), OperationKind.CYCLE);
  }

  static Event reentered(BinaryReader in, Instant at, OperationId operation) {
    var digits = DigitsCodec.digits(in);
    OperationId pivot = OutcomeCodec.operation(in);
    var ledger = DigitsCodec.ledger(in);
    var unreachable = in.all(OutcomeCodec::operation);
    Place place = place(in, OperationKind.CYCLE);
    return new Event.Reentered(at, operation, pivot, ledger, place, unreachable, digits);
  }
}
