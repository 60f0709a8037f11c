package dev.tenure.sharding.message;

import dev.tenure.persistence.codec.BinaryReader;
import dev.tenure.persistence.codec.BinaryWriter;
import dev.tenure.persistence.codec.IncidentCodec;
import dev.tenure.persistence.codec.OutcomeCodec;
import dev.tenure.persistence.codec.SpecCodec;
import dev.tenure.sharding.wire.Frame;
import dev.tenure.sharding.wire.ReplyWire;
import dev.tenure.sharding.wire.UnreadableMessageError;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.Warning;
import dev.tenure.workflow.lifecycle.OperationPhase;
import java.time.Instant;
import java.util.List;

/** What a workflow's owner answers, as bytes. */
final class AnswerWire {
  private AnswerWire() {}

  static byte[] write(Answer answer) {
    return switch (answer) {
      case Answer.Said(var reply) -> Frame.write(1, out -> ReplyWire.write(out, reply));
      case Answer.Queried(var reply) -> Frame.write(2, out -> ReplyWire.inquiryReply(out, reply));
      case Answer.Described(var description) ->
          Frame.write(3, out -> description(out, description));
      case Answer.Ended(var status, var outcome) ->
          Frame.write(
              4,
              out -> {
                ReplyWire.status(out, status);
                OutcomeCodec.outcome(out, outcome);
              });
      case Answer.Updated(var outcome) -> Frame.write(5, out -> OutcomeCodec.outcome(out, outcome));
      case Answer.Unknown unknown -> Frame.write(6, out -> {});
      case Answer.NotNow(String why) -> Frame.write(7, out -> out.text(why));
      case Answer.Busy(int limit) -> Frame.write(8, out -> out.number(limit));
      case Answer.Again(String why) -> Frame.write(9, out -> out.text(why));
      case Answer.AnotherRun(String runId) -> Frame.write(10, out -> out.text(runId));
    };
  }

  static Answer read(byte[] bytes) {
    return Frame.read("An answer of a workflow", bytes, AnswerWire::answer);
  }

  private static Answer answer(int kind, BinaryReader in) {
    return switch (kind) {
      case 1 -> new Answer.Said(ReplyWire.read(in));
      case 2 -> new Answer.Queried(ReplyWire.inquiryReply(in));
      case 3 -> new Answer.Described(description(in));
      case 4 -> new Answer.Ended(ReplyWire.status(in), OutcomeCodec.outcome(in));
      case 5 -> new Answer.Updated(OutcomeCodec.outcome(in));
      case 6 -> new Answer.Unknown();
      case 7 -> new Answer.NotNow(in.text());
      case 8 -> new Answer.Busy(in.smallNumber());
      case 9 -> new Answer.Again(in.text());
      case 10 -> new Answer.AnotherRun(in.text());
      default -> throw UnreadableMessageError.unknown("An answer of a workflow", kind);
    };
  }

  private static void description(BinaryWriter out, Description d) {
    out.text(d.id().value());
    out.text(d.runId());
    out.text(d.type().name());
    out.number(d.type().version());
    ReplyWire.status(out, d.status());
    out.moment(d.startedAt());
    out.optional(d.endedAt(), BinaryWriter::instant);
    out.optional(d.parent(), (o, parent) -> o.text(parent.value()));
    OutcomeCodec.attributes(out, d.attributes());
    out.optional(d.outcome(), OutcomeCodec::outcome);
    out.optional(d.cancelRequested(), BinaryWriter::text);
    out.optional(d.pauseReason(), BinaryWriter::text);
    out.optional(d.blockReason(), BinaryWriter::text);
    out.optional(d.incident(), IncidentCodec::incident);
    out.optional(d.nextDue(), BinaryWriter::instant);
    out.number(d.version());
    out.number(d.events());
    out.number(d.operations());
    out.all(d.open(), AnswerWire::open);
    out.all(d.warnings(), AnswerWire::warning);
  }

  private static Description description(BinaryReader in) {
    return new Description(
        new WorkflowId(in.text()),
        in.text(),
        new WorkflowType(in.text(), in.smallNumber()),
        ReplyWire.status(in),
        in.moment(),
        in.optional(BinaryReader::instant),
        in.optional(each -> new WorkflowId(each.text())),
        OutcomeCodec.attributes(in),
        in.optional(OutcomeCodec::outcome),
        in.optional(BinaryReader::text),
        in.optional(BinaryReader::text),
        in.optional(BinaryReader::text),
        in.optional(IncidentCodec::incident),
        in.optional(BinaryReader::instant),
        in.number(),
        in.number(),
        in.number(),
        in.all(AnswerWire::open),
        in.hasMore() ? in.all(AnswerWire::warning) : List.of());
  }

  private static void warning(BinaryWriter out, Warning warning) {
    int record = out.begin();
    out.text(warning.limit());
    out.number(warning.value());
    out.number(warning.from());
    out.text(warning.advice());
    out.end(record);
  }

  private static Warning warning(BinaryReader in) {
    int outer = in.begin();
    Warning warning = new Warning(in.text(), in.number(), in.number(), in.text());
    in.end(outer);
    return warning;
  }

  private static void open(BinaryWriter out, Description.Open open) {
    int record = out.begin();
    out.text(open.id());
    SpecCodec.kind(out, open.kind());
    out.byteOf(
        switch (open.phase()) {
          case NEW -> 1;
          case IN_FLIGHT -> 2;
          case BACKING_OFF -> 3;
          case SENDING -> 4;
          case LET_GO -> 5;
          case WAITING -> 6;
          case COMPLETED -> 7;
          case ABANDONED -> 8;
          case GIVEN_UP -> 9;
          case ANSWERED -> 10;
        });
    out.number(open.attempt());
    out.text(open.ledger());
    out.instant(open.scheduledAt());
    out.optional(open.dueAt(), BinaryWriter::instant);
    out.optional(open.lastFailure(), OutcomeCodec::failure);
    out.end(record);
  }

  private static Description.Open open(BinaryReader in) {
    int outer = in.begin();
    Description.Open open =
        new Description.Open(
            in.text(),
            SpecCodec.kind(in),
            phase(in.byteOf()),
            in.smallNumber(),
            in.text(),
            in.instant(),
            in.<Instant>optional(BinaryReader::instant),
            in.optional(OutcomeCodec::failure));
    in.end(outer);
    return open;
  }

  private static OperationPhase phase(int code) {
    return switch (code) {
      case 1 -> OperationPhase.NEW;
      case 2 -> OperationPhase.IN_FLIGHT;
      case 3 -> OperationPhase.BACKING_OFF;
      case 4 -> OperationPhase.SENDING;
      case 5 -> OperationPhase.LET_GO;
      case 6 -> OperationPhase.WAITING;
      case 7 -> OperationPhase.COMPLETED;
      case 8 -> OperationPhase.ABANDONED;
      case 9 -> OperationPhase.GIVEN_UP;
      case 10 -> OperationPhase.ANSWERED;
      default -> throw UnreadableMessageError.unknown("A phase of an operation", code);
    };
  }
}
