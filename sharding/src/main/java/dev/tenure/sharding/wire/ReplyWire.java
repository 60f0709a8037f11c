package dev.tenure.sharding.wire;

import dev.tenure.persistence.codec.BinaryReader;
import dev.tenure.persistence.codec.BinaryWriter;
import dev.tenure.persistence.codec.OutcomeCodec;
import dev.tenure.persistence.visibility.StatusCode;
import dev.tenure.sharding.program.Inquiry;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Reply;
import dev.tenure.workflow.kernel.Status;

/** What the kernel says to a command, and what the code says to a query. */
public final class ReplyWire {
  private ReplyWire() {}

  public static void write(BinaryWriter out, Reply reply) {
    out.byteOf(kind(reply));
    int record = out.begin();
    switch (reply) {
      case Reply.Done r -> {}
      case Reply.Started r -> {
        out.text(r.id().value());
        out.text(r.runId());
      }
      case Reply.AlreadyStarted r -> {
        out.text(r.id().value());
        out.text(r.runId());
        status(out, r.status());
        out.flag(r.sameRequest());
      }
      case Reply.Unknown r -> {}
      case Reply.AlreadyEnded r -> {
        status(out, r.status());
        OutcomeCodec.outcome(out, r.outcome());
      }
      case Reply.AlreadyDone r -> out.text(r.what());
      case Reply.NotOpen r -> out.text(r.why());
      case Reply.UpdatePending r -> out.text(r.updateId());
      case Reply.UpdateAnswered r -> {
        out.text(r.updateId());
        OutcomeCodec.outcome(out, r.outcome());
      }
      case Reply.LimitReached r -> {
        out.text(r.limit());
        out.signed(r.value());
        out.signed(r.largest());
        out.text(r.advice());
      }
      case Reply.UpdateConflict r -> out.text(r.updateId());
      case Reply.Each r -> out.all(r.replies(), ReplyWire::write);
    }
    out.end(record);
  }

  private static int kind(Reply reply) {
    return switch (reply) {
      case Reply.Done r -> 1;
      case Reply.Started r -> 2;
      case Reply.AlreadyStarted r -> 3;
      case Reply.Unknown r -> 4;
      case Reply.AlreadyEnded r -> 5;
      case Reply.AlreadyDone r -> 6;
      case Reply.NotOpen r -> 7;
      case Reply.UpdatePending r -> 8;
      case Reply.UpdateAnswered r -> 9;
      case Reply.LimitReached r -> 10;
      case Reply.Each r -> 11;
      case Reply.UpdateConflict r -> 12;
    };
  }

  public static Reply read(BinaryReader in) {
    int kind = in.byteOf();
    int outer = in.begin();
    Reply reply =
        switch (kind) {
          case 1 -> Reply.DONE;
          case 2 -> new Reply.Started(new WorkflowId(in.text()), in.text());
          case 3 ->
              new Reply.AlreadyStarted(new WorkflowId(in.text()), in.text(), status(in), in.flag());
          case 4 -> new Reply.Unknown();
          case 5 -> new Reply.AlreadyEnded(status(in), OutcomeCodec.outcome(in));
          case 6 -> new Reply.AlreadyDone(in.text());
          case 7 -> new Reply.NotOpen(in.text());
          case 8 -> new Reply.UpdatePending(in.text());
          case 9 -> new Reply.UpdateAnswered(in.text(), OutcomeCodec.outcome(in));
          case 10 -> new Reply.LimitReached(in.text(), in.signed(), in.signed(), in.text());
          case 11 -> new Reply.Each(in.all(ReplyWire::read));
          case 12 -> new Reply.UpdateConflict(in.text());
          default -> throw UnreadableMessageError.unknown("A reply", kind);
        };
    in.end(outer);
    return reply;
  }

  /** By the word that the store has for it, which never changes. */
  public static void status(BinaryWriter out, Status status) {
    out.text(StatusCode.of(status));
  }

  public static Status status(BinaryReader in) {
    return StatusCode.parse(in.text());
  }

  public static void inquiry(BinaryWriter out, Inquiry inquiry) {
    out.text(inquiry.name());
    OutcomeCodec.payload(out, inquiry.input());
  }

  public static Inquiry inquiry(BinaryReader in) {
    return new Inquiry(in.text(), OutcomeCodec.payload(in));
  }

  public static void inquiryReply(BinaryWriter out, Inquiry.Reply reply) {
    out.byteOf(
        switch (reply) {
          case Inquiry.Reply.Value r -> 1;
          case Inquiry.Reply.Failed r -> 2;
          case Inquiry.Reply.NoSuchQuery r -> 3;
        });
    int record = out.begin();
    switch (reply) {
      case Inquiry.Reply.Value r -> OutcomeCodec.payload(out, r.value());
      case Inquiry.Reply.Failed r -> OutcomeCodec.failure(out, r.failure());
      case Inquiry.Reply.NoSuchQuery r -> out.text(r.name());
    }
    out.end(record);
  }

  public static Inquiry.Reply inquiryReply(BinaryReader in) {
    int kind = in.byteOf();
    int outer = in.begin();
    Inquiry.Reply reply =
        switch (kind) {
          case 1 -> new Inquiry.Reply.Value(OutcomeCodec.payload(in));
          case 2 -> new Inquiry.Reply.Failed(OutcomeCodec.failure(in));
          case 3 -> new Inquiry.Reply.NoSuchQuery(in.text());
          default -> throw UnreadableMessageError.unknown("An answer to a query", kind);
        };
    in.end(outer);
    return reply;
  }
}
