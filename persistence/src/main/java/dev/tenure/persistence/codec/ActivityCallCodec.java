package dev.tenure.persistence.codec;

import dev.tenure.workflow.ActivityRouting.RateLimit;
import dev.tenure.workflow.operation.ActivityCall;
import dev.tenure.workflow.operation.ActivityCall.Queueing;

/** What the call of an activity says beyond its input. */
final class ActivityCallCodec {
  private ActivityCallCodec() {}

  static void call(BinaryWriter out, ActivityCall call) {
    int record = out.begin();
    out.optional(call.idempotencyKey(), BinaryWriter::text);
    out.flag(call.idempotent());
    out.optional(call.heartbeatTimeout(), BinaryWriter::duration);
    out.optional(call.queueing(), ActivityCallCodec::queueing);
    out.end(record);
  }

  static ActivityCall call(BinaryReader in) {
    int outer = in.begin();
    ActivityCall call =
        new ActivityCall(
            in.optional(BinaryReader::text),
            in.flag(),
            in.optional(BinaryReader::duration),
            in.optional(ActivityCallCodec::queueing));
    in.end(outer);
    return call;
  }

  private static void queueing(BinaryWriter out, Queueing queueing) {
    int record = out.begin();
    out.text(queueing.queue());
    out.signed(queueing.priority());
    out.text(queueing.fairnessKey());
    out.duration(queueing.visibilityTimeout());
    out.text(queueing.resource());
    out.optional(queueing.atOnceMax(), (o, max) -> o.number(max));
    out.optional(
        queueing.rate(),
        (o, rate) -> {
          o.number(rate.callsMax());
          o.duration(rate.span());
        });
    out.end(record);
  }

  private static Queueing queueing(BinaryReader in) {
    int outer = in.begin();
    Queueing queueing =
        new Queueing(
            in.text(),
            (int) in.signed(),
            in.text(),
            in.duration(),
            in.text(),
            in.optional(BinaryReader::smallNumber),
            in.optional(each -> new RateLimit(each.smallNumber(), each.duration())));
    in.end(outer);
    return queueing;
  }
}
