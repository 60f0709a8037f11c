package dev.tenure.persistence.codec;

import dev.tenure.workflow.collation.ActivityLedger;
import dev.tenure.workflow.collation.GuidLedger;
import dev.tenure.workflow.lifecycle.OperationPhase;
import dev.tenure.workflow.operation.MessageGuid;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;

/** An open operation as a state holds it, for snapshots. */
final class OperationCodec {
  private OperationCodec() {}

  static void operation(BinaryWriter out, Operation one) {
    int record = out.begin();
    OutcomeCodec.operation(out, one.id());
    SpecCodec.spec(out, one.spec());
    DigitsCodec.ledger(out, one.ledger());
    out.number(one.guid().value());
    out.byteOf(phase(one.phase()));
    out.number(one.order());
    out.number(one.attempt());
    out.number(one.attemptsBefore());
    out.instant(one.scheduledAt());
    out.instant(one.attemptAt());
    out.optional(one.lastFailure(), OutcomeCodec::failure);
    out.optional(one.afterwards(), SpecCodec::content);
    out.optional(one.sent(), OperationCodec::sent);
    GraphCodec.place(out, one.place(), one.spec().kind());
    out.end(record);
  }

  static Operation operation(BinaryReader in) {
    int outer = in.begin();
    OperationId id = OutcomeCodec.operation(in);
    OperationSpec spec = SpecCodec.spec(in);
    ActivityLedger ledger = DigitsCodec.ledger(in);
    GuidLedger guid = new GuidLedger(in.number());
    OperationPhase phase = phase(in.byteOf());
    long order = in.number();
    int attempt = in.smallNumber();
    int attemptsBefore = in.smallNumber();
    var scheduledAt = in.instant();
    var attemptAt = in.instant();
    var lastFailure = in.optional(OutcomeCodec::failure);
    var afterwards = in.optional(SpecCodec::content);
    var sent = in.optional(OperationCodec::sent);
    var place = GraphCodec.place(in, spec.kind());
    in.end(outer);
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
        afterwards,
        sent);
  }

  private static void sent(BinaryWriter out, Operation.Sent sent) {
    OutcomeCodec.operation(out, sent.as());
    out.text(sent.guid().value());
  }

  private static Operation.Sent sent(BinaryReader in) {
    return new Operation.Sent(OutcomeCodec.operation(in), new MessageGuid(in.text()));
  }

  private static int phase(OperationPhase phase) {
    return switch (phase) {
      case NEW -> 1;
      case IN_FLIGHT -> 2;
      case BACKING_OFF -> 3;
      case SENDING -> 4;
      case LET_GO -> 5;
      case GIVEN_UP -> 6;
      case WAITING -> 7;
      case ANSWERED -> 8;
      case COMPLETED -> 9;
      case ABANDONED -> 10;
    };
  }

  private static OperationPhase phase(int code) {
    for (OperationPhase phase : OperationPhase.values()) if (phase(phase) == code) return phase;
    throw new PersistedEntryIncompatibleError("the phase of an operation", code);
  }
}
